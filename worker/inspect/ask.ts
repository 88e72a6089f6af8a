//! Calls the Worker, and asks a person for the operator's token if the Worker requires one. The token is kept only in
//! the tab, and is sent as a bearer token.

import { h, put } from "./dom.ts";

const TOKEN = "edgebid-token";

/** An answer that is not 2xx. The message is for people. */
export class Refused extends Error {
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

let dialog: HTMLDialogElement | undefined;
/** Says in the dialog that a token is wrong. */
let wrong: HTMLElement | undefined;

/** The dialog, which opens by itself whenever an answer is a 401. `again` is called with a new token. */
export function tokenDialog(again: () => void): HTMLDialogElement {
  const says = h("p.error", { role: "alert", hidden: true });
  wrong = says;
  const input = h("input", { id: "token", type: "password", autocomplete: "off", required: true });
  const keep = () => {
    sessionStorage.setItem(TOKEN, input.value);
    says.hidden = true;
    input.value = "";
    again();
  };
  const form = h(
    "form",
    { method: "dialog", onsubmit: keep },
    h("h2", { id: "token-title" }, "This bidder wants the operator's token"),
    h("p", "It is the secret OPERATOR_TOKEN of the Worker. This tab keeps it until you close the tab."),
    h("label", { for: "token" }, "Token"),
    input,
    says,
    h("button", { type: "submit" }, "Look"),
  );
  dialog = h("dialog", { "aria-labelledby": "token-title" }, form);
  return dialog;
}

/** The answer's JSON. Throws {@link Refused} with the reason in words, or an `AbortError` of `init.signal`. */
export async function ask<T>(path: string, init: RequestInit = {}): Promise<T> {
  return (await (await send(path, init)).json()) as T;
}

/** The answer itself, for streams. Throws like {@link ask}. */
export async function send(path: string, init: RequestInit = {}): Promise<Response> {
  const headers = new Headers(init.headers);
  const token = sessionStorage.getItem(TOKEN);
  if (token !== null) headers.set("authorization", `Bearer ${token}`);
  let response: Response;
  try {
    response = await fetch(path, { ...init, headers, credentials: "omit", cache: "no-store" });
  } catch (error) {
    if (error instanceof DOMException && error.name === "AbortError") throw error;
    throw new Refused(0, "The bidder does not answer. Does it still run?");
  }
  if (response.ok) return response;
  const reason = await reasonOf(response, token !== null);
  if (response.status === 401) {
    // Answers to questions with an earlier token do not count against the present one.
    if (sessionStorage.getItem(TOKEN) === token) sessionStorage.removeItem(TOKEN);
    if (wrong !== undefined) {
      put(wrong, reason);
      wrong.hidden = token === null;
    }
    if (dialog?.open === false) dialog.showModal();
  }
  throw new Refused(response.status, reason);
}

async function reasonOf(response: Response, hadToken: boolean): Promise<string> {
  const { status } = response;
  if (status === 401 && hadToken) return "This token is not the bidder's OPERATOR_TOKEN.";
  if (status === 401) return "The bidder wants the operator's token.";
  if (status === 429) return "Too many wrong tokens came from here. Wait a minute.";
  // An answer that is not JSON has no reason.
  const { error } = (await response.json().catch(() => ({}))) as { error?: unknown };
  if (typeof error === "string") return error;
  return status === 404 ? "This bidder does not have that." : `The bidder answered ${status}.`;
}
