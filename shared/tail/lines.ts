//! Reads the answer of `GET /tail`, for the commands and the inspector.

/** The whole lines of a text in UTF-8, as they arrive. Ends the call when the caller stops reading. */
export async function* linesOf(stream: ReadableStream<Uint8Array<ArrayBuffer>>): AsyncIterable<string> {
  // Not every browser iterates over a stream.
  const reader = stream.pipeThrough(new TextDecoderStream()).getReader();
  let begun = "";
  try {
    for (;;) {
      const { value, done } = await reader.read();
      if (done) return;
      const lines = (begun + value).split("\n");
      begun = lines.pop() ?? "";
      yield* lines;
    }
  } finally {
    await reader.cancel();
  }
}
