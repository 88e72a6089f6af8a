//! Finds addresses that a browser would load or call over plain HTTP.

/** Addresses that a browser never loads: names of document types, namespaces, schemas, vocabularies, registries. */
const NAMES = [
  /<!doctype[^<>]*/gi,
  /(?<=<[^<>]*\s)(?:xmlns(?::[^\s=<>]+)?|[^\s=<>]+:(?:noNamespace)?schemaLocation|itemtype|vocab|prefix|idRegistry)\s*=\s*(?:"[^"<>]*|'[^'<>]*|[^\s"'<>]+)/gi,
  /(?<=["'])http:\/\/www\.w3\.org\/(?:2000\/svg|2000\/xmlns\/|1999\/xhtml|1999\/xlink|1998\/Math\/MathML|XML\/1998\/namespace)(?=["'])/gi,
];

/** Whether a text has a plain-HTTP address that a browser would load. Percent-encoded addresses count too. */
export function hasPlainHttp(text: string): boolean {
  const isPlain = (one: string) => /http(:|%3a)/i.test(one);
  return isPlain(text) && isPlain(NAMES.reduce((left, name) => left.replace(name, ""), text));
}
