//! A request as the text that an exchange would send.

/**
 * Minified. Some exchanges escape what needs no escape: here the slashes of two attributes, and
 * every ampersand.
 */
export function text(request: unknown): string {
  return JSON.stringify(request)
    .replace(/"(?:ref|storeurl)":"[^"]*"/g, (member) => member.replaceAll("/", "\\/"))
    .replaceAll("&", "\\u0026");
}
