//! Asks a person for the operator's token, if the Worker wants one.

import { dropToken, keepToken, onMissingToken } from "./ask.ts";
import { h } from "./dom.ts";

/** The dialog, which opens by itself whenever an answer is a 401. `again` is called with a new token. */
export function tokenDialog(again: () => void): HTMLDialogElement {
  const input = h("input", { id: "token", type: "password", autocomplete: "off", required: true });
  const dialog = h(
    "dialog",
    { "aria-labelledby": "token-title" },
    h(
      "form",
      {
        method: "dialog",
        onsubmit: () => {
          keepToken(input.value);
          input.value = "";
          again();
        },
      },
      h("h2", { id: "token-title" }, "This bidder wants the operator's token"),
      h("p", {}, "It is the secret OPERATOR_TOKEN of the Worker. This tab keeps it until you close the tab."),
      h("label", { for: "token" }, "Token"),
      input,
      h("div", { class: "buttons" }, h("button", { type: "submit", class: "primary" }, "Look")),
    ),
  );
  onMissingToken(() => {
    dropToken();
    if (!dialog.open) dialog.showModal();
  });
  return dialog;
}
