import { programs } from "./platform/program.ts";
import { faultsIn } from "./platform/rates.ts";
import { run } from "./run.ts";

const p = await programs();
const [first = 1, last = first] = (process.argv[2] ?? "1").split("..").map(Number);
for (let seed = first; seed <= last; seed++) {
  const t = performance.now();
  const { broken, trace, bids, bills, spends, rates } = await run({
    seed,
    hours: Number(process.argv[3] ?? 1),
    programs: p,
    ...(process.env.FAULTS !== undefined && { faults: process.env.FAULTS.split(",") as never }),
  });
  console.log(
    seed,
    broken ? `${broken}` : "ok",
    Math.round(performance.now() - t),
    "ms",
    trace.length,
    bids,
    bills,
    faultsIn(rates).join(" "),
    [...spends].join(" "),
  );
  if (broken && !(broken as any).judge) console.log(broken);
  if (broken && process.env.STORY) {
    const about = (broken as any).about ?? [];
    console.log(
      trace
        .filter((l) => about.some((a: string) => l.includes(a)))
        .slice(-60)
        .join("\n"),
    );
    console.log(trace.slice(-15).join("\n"));
  }
}
