//! Asks the Worker. The operator's token is kept for the tab only, and goes along as a bearer token.

const TOKEN = "edgebid-token";

/** An answer that is not 2xx. The message is for people. */
export class Refused extends Error {
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

let wantToken: () => void = () => {};

/** Says what to do if the Worker wants a token that the page does not have. */
export function onMissingToken(ask: () => void): void {
  wantToken = ask;
}

/** Keeps the operator's token until the tab is closed. */
export function keepToken(token: string): void {
  sessionStorage.setItem(TOKEN, token);
}

/** Forgets the token. */
export function dropToken(): void {
  sessionStorage.removeItem(TOKEN);
}

/** Whether the tab has a token. */
export function hasToken(): boolean {
  return sessionStorage.getItem(TOKEN) !== null;
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
  if (response.status === 401) wantToken();
  throw new Refused(response.status, await reasonOf(response));
}

async function reasonOf(response: Response): Promise<string> {
  const { status } = response;
  if (status === 401) return "The bidder wants the operator's token.";
  if (status === 429) return "Too many wrong tokens came from here. Wait a minute.";
  try {
    const { error } = (await response.json()) as { error?: unknown };
    if (typeof error === "string") return error;
  } catch {
    // Not JSON: the status has to do.
  }
  return status === 404 ? "This bidder does not have that." : `The bidder answered ${status}.`;
}
