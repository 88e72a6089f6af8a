//! A dull keeper of deals in memory, to compare the object with. It sorts everything again at each question.

/** A deal whose messages all have their time. */
type Sent = { id: string; sellerstatus?: number; ext?: { updated?: string } };

export class Twin {
  readonly #texts = new Set<string>();

  take(message: object): void {
    this.#texts.add(JSON.stringify(message));
  }

  /** The message that counts of each deal, and how many different ones there were. */
  deals(): { id: string; deal: Sent; versions: number }[] {
    const all = [...this.#texts].map((text): Sent => JSON.parse(text));
    return [...new Set(all.map(({ id }) => id))].sort().map((id) => {
      const own = all.filter((one) => one.id === id);
      const key = ({ sellerstatus, ext }: Sent) => `${sellerstatus === 4 ? "z" : "a"}${ext?.updated}`;
      own.sort((a, b) => (key(a) < key(b) ? -1 : 1));
      return { id, deal: own.at(-1) as Sent, versions: own.length };
    });
  }
}
