//! Cuts a catalog document into the entries of its lists while it arrives, so that a large one is never in memory as a
//! whole: at most one piece of it and one entry are.

/** The depth of brackets at which the names of lists stand, and that of the entries in a list. */
const [LISTS, ENTRIES] = [1, 3];
const [QUOTE, BACKSLASH, OPEN_LIST, CLOSE_LIST, OPEN, CLOSE] = [0x22, 0x5c, 0x5b, 0x5d, 0x7b, 0x7d];

export class Entries {
  readonly #lists: readonly string[];
  // One decoder for all entries: in workerd, making one takes longer than reading an entry.
  readonly #decoder = new TextDecoder();
  #depth = 0;
  /** The name of the list whose entries come. */
  #list = "";
  /** The end of the last piece: an entry or a text that is not whole yet. */
  #rest = "";
  /** Where to go on in {@link #rest}. */
  #at = 0;
  /** Whether {@link #rest} begins with an entry. */
  #isEntry = false;

  /** `lists`: the names of the lists whose entries are wanted. Nothing of other lists is kept. */
  constructor(lists: readonly string[]) {
    this.#lists = lists;
  }

  /** The entries that end in this piece: the name of the list, and the text of the object. */
  *push(piece: Uint8Array): Generator<[list: string, entry: string]> {
    const text = this.#rest + this.#decoder.decode(piece, { stream: true });
    let start = this.#isEntry ? 0 : -1;
    let [at, depth] = [this.#at, this.#depth];
    for (; at < text.length; at++) {
      const code = text.charCodeAt(at);
      if (code === QUOTE) {
        const end = endOf(text, at);
        if (end < 0) break;
        if (depth === LISTS) this.#list = JSON.parse(text.slice(at, end + 1));
        at = end;
      } else if (code === OPEN || code === OPEN_LIST) {
        depth++;
        if (depth === ENTRIES && code === OPEN && this.#lists.includes(this.#list)) start = at;
      } else if (code === CLOSE || code === CLOSE_LIST) {
        if (depth === ENTRIES && start >= 0) {
          yield [this.#list, text.slice(start, at + 1)];
          start = -1;
        }
        depth--;
      }
    }
    const from = start < 0 ? at : start;
    [this.#rest, this.#at, this.#isEntry, this.#depth] = [text.slice(from), at - from, start >= 0, depth];
  }
}

/** The position of the quote that ends the text; -1 if it is not in `json` yet. */
function endOf(json: string, start: number): number {
  for (let end = json.indexOf('"', start + 1); end >= 0; end = json.indexOf('"', end + 1)) {
    let escapes = 0;
    while (json.charCodeAt(end - 1 - escapes) === BACKSLASH) escapes++;
    if (escapes % 2 === 0) return end;
  }
  return -1;
}
