//! Reads the answer of `GET /tail`, for the commands and the inspector.

/** The whole lines of a text in UTF-8, as they arrive. */
export async function* linesOf(stream: ReadableStream<Uint8Array<ArrayBuffer>>): AsyncIterable<string> {
  // Not every browser iterates over a stream.
  const reader = stream.pipeThrough(new TextDecoderStream()).getReader();
  let begun = "";
  for (;;) {
    const { value, done } = await reader.read();
    if (done) return;
    const lines = (begun + value).split("\n");
    begun = lines.pop() ?? "";
    yield* lines;
  }
}
