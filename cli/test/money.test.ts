//! `edgebid report`, `edgebid budget` and `edgebid reconcile` against a server that answers like a bidder.

import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { parse } from "csv-parse/sync";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it, test, vi } from "vitest";
import type { Total } from "../../shared/ledger/rows.ts";
import { decimal } from "../../shared/report/decimal.ts";
import { columnsOf, readInvoice } from "../../tools/invoices/invoice.ts";
import { joined, ratioOf, sumsOf } from "../../tools/invoices/reconcile.ts";
import { bidderFindings } from "../deploy/bidder.ts";
import { bytesOf } from "./bidder.ts";
import { type CannedReport, cannedReport, TODAY, TOTALS } from "./canned-report.ts";
import { examplesOf, missingLine, textOf } from "./docs-pages.ts";
import { type Ended, edgebidIn, folderFor } from "./edgebid.ts";
import { freePort, served } from "./free-port.ts";

const EXAMPLES = examplesOf(textOf("docs/money.md"));
const INVOICE = EXAMPLES.find(({ kind }) => kind === "invoice")?.text ?? "";

const folder = folderFor("money");
let server: CannedReport;

beforeAll(async () => {
  server = await cannedReport();
});

afterAll(() => server.stop());

function edgebidAt(url: string, ...args: string[]): Promise<Ended> {
  return edgebidIn(folder, { EDGEBID_URL: url })(...args);
}

const edgebid = (...args: string[]) => edgebidAt(server.origin, ...args);

/** Does something while the clock of this process stands still at a time. */
async function during<T>(time: string, work: () => Promise<T>): Promise<T> {
  vi.useFakeTimers({ toFake: ["Date"], now: Date.parse(time) });
  return await work().finally(() => vi.useRealTimers());
}

/** Expects what docs/money.md shows as the output of a command, and no more than so many lines. */
function expectShown(printed: Ended, command: string, lines: number): void {
  const at = EXAMPLES.findIndex(({ text }) => text.startsWith(`npx edgebid ${command}`));
  expect(printed).toEqual([0, expect.any(String), ""]);
  expect(missingLine(EXAMPLES[at + 1]?.text ?? "no example", printed[1])).toBeUndefined();
  expect(printed[1].trimEnd().split("\n")).toHaveLength(lines);
}

describe("budget", () => {
  test("prints a table, and a bar for each campaign", async () => {
    const [code, stdout, stderr] = await edgebid("budget");
    expect([code, stderr]).toEqual([0, ""]);
    expect(stdout).toBe(`\
campaign      day          daily  planned    spent  exposed    left  forecast  cur     share  why
shoes-autumn  2026-11-21  200.00   100.00  96.4000     1.25  102.35  199.2000  EUR    3.00 %  on plan
acme-spring   2026-11-21   50.00        –  50.0018     0.00    0.00   50.0018  USD    0.00 %  the daily budget is spent
velo-europe   2026-11-21       –        –   0.0000     5.00  745.00    0.0000  EUR  < 0.01 %  slower towards the end of the budget

spent █ and exposed ▒ of the budget
shoes-autumn  ${"█".repeat(19)}${"·".repeat(21)}  48.2 %, forecast 99.6 %
acme-spring   ${"█".repeat(40)}  100.0 %, forecast 100.0 %
velo-europe   ${"█".repeat(10)}${"·".repeat(30)}  25.0 %
`);
  });

  test("prints one campaign in full, or as JSON", async () => {
    const [code, stdout] = await edgebid("budget", "shoes-autumn");
    expect(code).toBe(0);
    expect(stdout).toBe(`shoes-autumn on 2026-11-21, spent evenly

spent              96.40 EUR
planned by now    100.00 EUR
exposed             1.25 EUR
left              102.35 EUR
forecast          199.20 EUR
daily budget      200.00 EUR
total budget    5,000.00 EUR
spent in all    1,296.40 EUR

share           3.00 % of 1,840 requests a second
why             on plan

${"█".repeat(19)}${"·".repeat(21)}  48.2 %, forecast 99.6 %
`);
    const [, json] = await edgebid("budget", "velo-europe", "--json");
    expect(JSON.parse(json)).toMatchObject([{ cid: "velo-europe", total: "1000", spent_total: "250", exposed: "5" }]);
  });

  test("says what is wrong", async () => {
    const [code, stdout, stderr] = await edgebid("budget", "no-such");
    expect([code, stdout]).toEqual([2, ""]);
    expect(stderr).toContain("serves no campaign or order no-such with a budget");
    const [, , refused] = await edgebidAt(`${server.origin}/elsewhere`, "budget");
    expect(refused).toContain("has no budget: it has no OPERATOR_TOKEN");
  });
});

describe("trouble with bills", () => {
  const missing = ["2026-11-20/07"];
  const alarms = [
    { what: "missing", place: "2026-11-20/07" },
    { what: "refused", ssp: "demo", count: 1200, nanos: "12500000000", cur: "EUR" },
    { what: "refused", ssp: "north", count: 0, nanos: "5", cur: "EUR" },
    { what: "implausible", ssp: "east", count: 30, nanos: "1", cur: "USD" },
    { what: "silent", ssp: "west", count: 5000, nanos: "0", cur: "" },
  ];
  const RUNBOOKS = "docs/runbooks.md#";
  let troubled: CannedReport;

  beforeAll(async () => {
    troubled = await cannedReport(TOTALS, undefined, { alarms, missing });
  });

  afterAll(() => troubled.stop());

  test("budget names the SSP, the count and what helps, above the table", async () => {
    const [code, stdout] = await edgebidAt(troubled.origin, "budget");
    expect(code).toBe(0);
    const lines = stdout.slice(0, stdout.indexOf("campaign  ")).split("\n");
    expect(lines).toEqual([
      "! 2026-11-20/07 of the ledger does not answer: budgets count the mean of the others, reports lack it",
      expect.stringContaining(`${RUNBOOKS}an-object-of-the-ledger-cannot-be-read`),
      "! demo: 1,200 bills are signed, and their price cannot be used: budgets count their bids, 12.5 EUR",
      expect.stringContaining("→ npx edgebid report --today --by ssp: read"),
      "! north: bills are signed, and their price cannot be used: budgets count their bids, 0.000000005 EUR",
      expect.stringContaining("→ npx edgebid report --today --by ssp: read"),
      "! east: 30 bills are far cheaper than their bids: budgets count the bids, 0.000000001 USD",
      expect.stringContaining("→ npx edgebid reconcile INVOICE --ssp east: read"),
      "! west: 5,000 bids, and no bill comes: budgets expect all of them",
      expect.stringContaining(`${RUNBOOKS}bills-that-cannot-be-believed`),
      "",
    ]);
    const [, json, stderr] = await edgebidAt(troubled.origin, "budget", "--json");
    expect(JSON.parse(json)).toHaveLength(3);
    expect(stderr).toContain("! demo: 1,200 bills");
  });

  test("report says which object of the ledger is missing, as a table, JSON and CSV", async () => {
    const named = "! 2026-11-20/07 of the ledger does not answer";
    expect((await edgebidAt(troubled.origin, "report"))[1]).toContain(named);
    const [, csv, stderr] = await edgebidAt(troubled.origin, "report", "--csv");
    expect(csv).toMatch(/^day,campaign,/);
    expect(stderr).toContain(named);
    const [, json, told] = await edgebidAt(troubled.origin, "report", "--json");
    expect([JSON.parse(json), told]).toEqual([expect.objectContaining({ missing }), expect.stringContaining(named)]);
  });

  test("doctor finds them", async () => {
    const faultsOf = async ({ origin }: CannedReport) => {
      const { findings } = await during(`${TODAY}T23:59:59Z`, () => bidderFindings(origin));
      return findings.filter(({ state }) => state === "fault");
    };
    expect((await faultsOf(troubled)).map(({ what, text }) => `${what}: ${text.slice(0, 25)}`)).toEqual([
      "ledger: 2026-11-20/07 of the ledg",
      "bills: demo: 1,200 bills are sig",
      "bills: north: bills are signed, ",
      "bills: east: 30 bills are far ch",
      "bills: west: 5,000 bids, and no ",
    ]);
    expect(await faultsOf(server)).toEqual([]);
  });
});

describe("report", () => {
  test("prints a table with a total per currency, and a bar per day", async () => {
    const printed = await edgebid("report", "--from", "2026-11-18");
    expectShown(printed, "report --from", 16);
    expect(printed[1]).toContain(`\n${"─".repeat(117)}\n`);
  });

  test("prints a bar per row on a single day", async () => {
    const [, stdout] = await edgebid("report", "--today", "--by", "ssp,creative");
    expect(stdout).toContain(`spend in USD by ssp, creative\ndemo / acme-300x250  0.0018  ${"█".repeat(40)}\n`);
  });

  test("asks for the days of the options", async () => {
    server.asked.length = 0;
    for (const days of [[], ["--today", "--by", "ssp"], ["--yesterday"], ["--to", "2026-11-01"]])
      await during("2026-12-01T00:00:01Z", () => edgebid("report", ...days));
    const by = "by=day%2Ccampaign";
    const queries = [by, "by=ssp", `from=2026-11-30&to=2026-11-30&${by}`, `to=2026-11-01&${by}`];
    expect(server.asked).toEqual(queries.map((query) => `/report?${query}`));
  });

  test("--json and --csv print the same numbers", async () => {
    const [, json] = await edgebid("report", "--from", "2026-11-18", "--by", "ssp", "--json");
    const { from, to, by, rows } = JSON.parse(json);
    expect({ from, to, by }).toEqual({ from: "2026-11-18", to: TODAY, by: ["ssp"] });
    expect(rows).toMatchObject([
      { ssp: "east", spend: "5.200000001", win_rate: "0.1444" },
      { ssp: "demo", spend: "3.9438", losses: { 102: 17_500 } },
    ]);
    const [, csv] = await edgebid("report", "--from", "2026-11-18", "--by", "ssp", "--csv");
    const cells: Record<string, string>[] = parse(csv, { columns: true, record_delimiter: "\r\n" });
    expect(cells.map(({ spend }) => spend)).toEqual(rows.map(({ spend }: { spend: string }) => spend));
    expect((await edgebid("report", "--json", "--csv"))[2]).toMatch(/'--json' cannot be used with option '--csv'/);
  });

  test("--by version judges a split by its hours, as text and JSON", async () => {
    const days = ["--from", "2026-10-05", "--to", "2026-10-11", "--by"];
    const printed = await edgebid("report", ...days, "version");
    expect(printed[1]).toMatch(/\nfirst .*\nsecond .*\n/);
    expect(printed[1]).toMatch(/^win rate: \+1\d\.\d % in the second version \(95 % interval \+1\d/m);
    expect(printed[1]).toMatch(/^CPM: .*: no difference is shown yet; if it stays, /m);
    const [, json] = await edgebid("report", ...days, "campaign,version", "--json");
    const { rows, comparisons } = JSON.parse(json);
    expect(rows.map(({ version }: { version: string }) => version)).toEqual(["first", "second"]);
    expect(comparisons).toMatchObject([{ what: "win rate", interval: { moreDays: 0 } }, { what: "CPM" }]);
    expect((await edgebid("report", "--by", "version"))[1]).toContain("\nno split has bids, wins and bills of both");
  });

  test("says so if there is nothing", async () => {
    expect(await edgebid("report", "--to", "2026-01-01")).toEqual([0, "nothing was bid or billed: 2026-01-01\n", ""]);
  });

  test("shows hostile names in one line, without control characters", async () => {
    const campaign = `\u001b[31mred\r\n\u202e=1+1${"x".repeat(100)}`;
    const detail = "constructor";
    const base = { ...TOTALS[0], day: TODAY, campaign, detail } as Total;
    const hostile = await cannedReport([
      { ...base, kind: "loss" },
      { ...base, kind: "refused" },
    ]);
    const [code, stdout] = await edgebidAt(hostile.origin, "report");
    await hostile.stop();
    expect(code).toBe(0);
    expect(stdout).toMatch(/^2026-11-21 {2}�\[31mred���=1\+1x{29,}… /m);
    expect(stdout).toContain("code constructor 12,000  constructor 12,000\n");
    expect(stdout.replaceAll("\n", "")).not.toMatch(/\p{C}/u);
  });

  describe("failures say what to do next", () => {
    it("nothing listens", async () => {
      const url = `http://127.0.0.1:${await freePort()}`;
      const [code, stdout, stderr] = await edgebidAt(url, "report");
      expect([code, stdout]).toEqual([3, ""]);
      const hint = "start a bidder with npm start, or name one with --url or EDGEBID_URL";
      expect(stderr).toBe(`edgebid: nothing listens at ${url}; ${hint}\n`);
      expect((await edgebid("report", "--url", url))[2]).toBe(stderr);
    });

    it("the token is missing or wrong", async () => {
      const closed = await cannedReport(TOTALS, "secret");
      const at = (token: string) =>
        edgebidIn(folder, { EDGEBID_URL: closed.origin, EDGEBID_OPERATOR_TOKEN: token })("report", "--by", "ssp");
      const hint = "set EDGEBID_OPERATOR_TOKEN to the secret OPERATOR_TOKEN of this bidder";
      expect(await at("")).toEqual([3, "", `edgebid: ${closed.origin} wants a token; ${hint}\n`]);
      expect(await at("guess")).toEqual([3, "", `edgebid: ${closed.origin} refuses the token; ${hint}\n`]);
      expect((await at("secret"))[0]).toBe(0);
      await closed.stop();
    });

    it.each([
      ["no report", 404, "", /has no report: it has no OPERATOR_TOKEN \(write it into \.dev\.vars\)/],
      ["too many tokens", 429, "", /got too many wrong tokens from here; wait a minute/],
      ["the ledger fails", 503, '{"error":"try again"}', /answers 503: try again/],
      ["a page", 200, "<html>", /answers with something else than a report; is it edgebid\?/],
      ["other JSON", 200, "{}", /answers with something else than a report/],
      ["a redirect", 302, "", /answers 302/],
      ["a conflict", 409, '{"error":"somebody was faster"}', /answers 409: somebody was faster/, 1],
      ["a long body", 413, "", /answers 413/, 2],
    ])("%s", async (_, status, body, message, expected = 3) => {
      const other = await served((_, response) => response.writeHead(status).end(body));
      const [code, stdout, stderr] = await edgebidAt(other.origin, "report");
      const forgot = await edgebidAt(other.origin, "forget", "an-id");
      await other.stop();
      expect([code, stdout]).toEqual([expected, ""]);
      expect(stderr).toMatch(message);
      expect(forgot.slice(0, 2)).toEqual([expected, ""]);
    });

    it("the connection breaks within the answer", async () => {
      const other = await served((_, response) => {
        response.writeHead(200, { "content-length": "100" }).write("{");
        setTimeout(() => response.destroy(), 50);
      });
      const results = await Promise.all([[], ["--csv"]].map((more) => edgebidAt(other.origin, "report", ...more)));
      await other.stop();
      const failed = [
        3,
        "",
        expect.stringMatching(/^edgebid: cannot reach http:\S+: the answer broke off \(.+\); ask .+\n$/),
      ];
      expect(results).toEqual([failed, failed]);
    });

    it("the bidder takes the call and does not answer", async () => {
      vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
      const silent = await served(() => vi.advanceTimersByTime(60_000));
      const [code, stdout, stderr] = await edgebidAt(silent.origin, "report");
      vi.useRealTimers();
      await silent.stop();
      expect([code, stdout, stderr]).toEqual([3, "", expect.stringContaining(": no answer within 60 s\n")]);
    });

    it("the token would be sent in plain text", async () => {
      const env = { EDGEBID_URL: "http://bidder.example", EDGEBID_OPERATOR_TOKEN: "secret" };
      const [code, , stderr] = await edgebidIn(folder, env)("report");
      expect([code, stderr]).toEqual([2, expect.stringContaining("unencrypted; expected https, or no token")]);
    });

    it("a bad query, or a bad URL", async () => {
      const message = expect.stringContaining('by: "seat" is unknown; expected some of day,');
      expect(await edgebid("report", "--by", "seat")).toEqual([2, "", message]);
      expect((await edgebidAt("bidder", "report"))[2]).toMatch(/expected one such as https:\/\/bidder.example/);
    });
  });
});

describe("reconcile", () => {
  function saved(text: string | Buffer): string {
    writeFileSync(join(folder, "invoice.csv"), text);
    return "invoice.csv";
  }

  test("prints the days, what is missing, and the line for the catalog", async () => {
    const printed = await edgebid("reconcile", saved(INVOICE), "--ssp", "demo");
    expectShown(printed, "reconcile november.csv", 17);
  });

  test("a day whose bills still come gives no ratio", async () => {
    const invoice = saved("day,imps,spend\n2026-11-18,1200,2.16\n2026-11-19,980,1.8\n");
    const reconciled = async (time: string, ...more: string[]) =>
      (await during(time, () => edgebid("reconcile", invoice, "--ssp", "demo", ...more)))[1];
    expect(await reconciled("2026-11-20T11:59:59Z")).toMatch(
      /both have, is 1.\d+\n\nnote 2026-11-19 is not over in every time zone: .* no invoice_ratio follows yet\n$/,
    );
    expect(JSON.parse(await reconciled("2026-11-20T11:59:59Z", "--json")).open).toEqual(["2026-11-19"]);
    expect(await reconciled("2026-11-20T12:00:00Z")).toContain('"invoice_ratio": "1.');
    const same = "day,imps,spend\n2026-11-18,1200,2.16\n";
    expect((await edgebid("reconcile", saved(same), "--ssp", "demo"))[1]).toMatch(
      /is 1: no invoice_ratio is needed\n$/,
    );
  });

  test("--json has the same as data", async () => {
    const text = INVOICE.replace("2026-11-20,5,0.01\n", "2026-11-21,0,0\n");
    const [code, stdout] = await edgebid("reconcile", saved(text), "--ssp", "demo", "--json");
    expect(code).toBe(0);
    const told = JSON.parse(stdout);
    const [first, , last] = told.days;
    expect(told).toMatchObject({
      ...{ ssp: "demo", cur: "USD", missing_in_ledger: [], missing_in_invoice: ["2026-11-21"] },
      ...{ days: { length: 3 }, both: { difference: { spend: "0.0792" } }, invoice_ratio: "1.020091" },
    });
    expect(first).toEqual({
      ...{ day: "2026-11-18", invoice: { impressions: 1224, spend: "2.2032" } },
      ledger: { impressions: 1200, spend: "2.16" },
      difference: { impressions: 24, spend: "0.0432", impressions_percent: "2.00", spend_percent: "2.00" },
    });
    expect(told.refused).toEqual({ "2026-11-18": { "price-missing": 3 } });
    expect(last).toMatchObject({ invoice: null, ledger: { impressions: 1, spend: "0.0018" }, difference: null });
  });

  test("asks the ledger for the days of the invoice, in the currency of the invoice", async () => {
    server.asked.length = 0;
    const text = "day;imps;spend\n2026-11-19;800;3.200000001\n2026-11-18;400;1.6\n2026-11-18;100;0.4\n";
    const [code, stdout] = await edgebid("reconcile", saved(text), "--ssp", "east", "--cur", "EUR", "--json");
    expect(server.asked).toEqual(["/report?from=2026-11-18&to=2026-11-19&by=day%2Cssp"]);
    expect([code, JSON.parse(stdout).invoice_ratio]).toEqual([0, "1"]);
    const [failed, , stderr] = await edgebid("reconcile", saved(text), "--ssp", "demo", "--cur", "EUR");
    expect(failed).toBe(2);
    expect(stderr).toMatch(/on 2026-11-18, campaigns in USD spent at demo, so the ledger has no sum in EUR; convert/);
  });

  test("warns about a ratio far from 1, and names the SSPs of the ledger", async () => {
    const far = await edgebid("reconcile", saved("day,imps,spend\n2026-11-18,1200,2.3\n"), "--ssp", "demo");
    expect(far).toMatchObject([0, expect.stringMatching(/both have, is 1.064815\n\nnote a ratio over 1.05/), ""]);
    expect(far[1]).not.toContain("invoice_ratio");
    const near = await edgebid("reconcile", saved("day,imps,spend\n2026-11-18,1200,2.052\n"), "--ssp", "demo");
    expect(near[1]).toContain('"invoice_ratio": "0.95"');
    const absurd = await edgebid("reconcile", saved("day,imps,spend\n2026-11-18,1200,2160\n"), "--ssp", "demo");
    expect(absurd[1]).toMatch(/is 1000; the catalog takes 0.5 to 2\n\nnote a ratio over 1.05/);
    expect(absurd[1]).not.toContain("invoice_ratio");
    const unknown = await edgebid("reconcile", saved(INVOICE), "--ssp", "deno");
    const message = "edgebid: the ledger has nothing of deno on these days; it has demo, east\n";
    expect(unknown).toEqual([2, "", message]);
  });

  test("asks for the currency if all spend of the SSP has another one", async () => {
    const dollars = await edgebid("reconcile", saved("day,imps,spend\n2026-11-18,500,2.16\n"), "--ssp", "east");
    expect(dollars[1]).toMatch(
      /\n\nnote all campaigns that spent at east have EUR; if the invoice is in EUR too, add --cur EUR\.\n\n.* no invoice_ratio is needed\n$/,
    );
    const text = "day,imps,spend\n2026-11-18,500,2\n";
    const euros = await edgebid("reconcile", saved(text), "--ssp", "east", "--cur", "EUR");
    expect(euros[1]).not.toContain("note");
    const [code, , stderr] = await edgebid("reconcile", saved(text), "--ssp", "east", "--cur", "euro");
    expect([code, stderr]).toEqual([2, expect.stringContaining("expected a code such as EUR")]);
  });

  test.each([
    ["", /^the invoice is empty; expected CSV with a header/],
    ["day,imps,spend\n", /^the invoice has no days below its header/],
    ["when,imps,spend\n", /^line 1: no column for day in when, .* named date or day; .*--columns day=NAME$/],
    ["day,imps,cost,Revenue\n", /^line 1: 2 columns for spend in .* spend or cost .*--columns spend=NAME$/],
    ["day,imps,spend\n2026-11-18,1,1\n\n05/11/2026,1,1\n", /^line 4: "05\/11\/2026" is no day; .* 2026-11-18/],
    ["day,imps,spend\n18/11/2026,1,1\n11/18/2026,1,1\n", /^line 2: "18\/11\/2026" is no day/],
    ["day,imps,spend\n31.11.2026,1,1\n", /^line 2: "31.11.2026" is no day/],
    ["day,imps,spend\n2026-11-18,1.5,1\n", /^line 2: "1.5" is no impressions; .* 12345 or 12,345$/],
    ["day;imps;spend\n2026-11-18;1;1.234,56\n2026-11-19;1;1,234.56\n", /^line 2: "1.234,56" is no spend; .* 1.234,56$/],
    ["day,imps,spend\n2026-11-18,1\n", /^line 2: "" is no spend; expected an amount/],
    ["day,imps,spend\n2026-11-18,1,EUR 5\n", /^line 2: the amount is in EUR; expected USD, .* --cur$/],
    ["day,imps,spend\n2026-11-18,1,€5\n", /^line 2: the amount is in €; expected USD, .* --cur$/],
    ["Date,Imps,Cost (EUR)\n2026-11-18,1,5\n", /^line 1: the column Cost \(EUR\) is in EUR; expected USD/],
    ['day,imps,spend\n2026-11-18,"1,1\n', /^the invoice is no CSV: .*line/],
    [Buffer.from("Größe,imps", "latin1"), /is not UTF-8/],
  ])("refuses %j", async (text, message) => {
    const [code, stdout, stderr] = await edgebid("reconcile", saved(text), "--ssp", "demo");
    expect([code, stdout]).toEqual([2, ""]);
    expect(stderr.replace("edgebid: invoice.csv: ", "").trimEnd()).toMatch(message);
  });

  test("says that there is no file", async () => {
    expect((await edgebid("reconcile", "nope.csv", "--ssp", "demo"))[2]).toBe("edgebid: nope.csv does not exist\n");
  });
});

describe("an invoice", () => {
  /** The figures of an invoice with one day. */
  const read = (line: string, cur = "USD", title = "spend") =>
    readInvoice(bytesOf(`day\timps\t${title}\n${line}\n`), cur, { spend: title });

  test.each([
    ["1234.56", 1_234_560_000_000n],
    ["1,234.56", 1_234_560_000_000n],
    ["$1,234.56", 1_234_560_000_000n],
    ["US$ 12", 12_000_000_000n],
    ["12 USD", 12_000_000_000n],
    ["USD 12", 12_000_000_000n],
    ["$0.000000001", 1n],
    ["-3.5", -3_500_000_000n],
    ["-$3.5", -3_500_000_000n],
    ["$-3.5", -3_500_000_000n],
    ["0.0000000015", 2n],
  ])("reads the amount %s", (text, nanos) => {
    expect([...read(`2026-11-18\t1\t${text}`).values()]).toEqual([{ impressions: 1, nanos }]);
  });

  test.each(["", "1,23.4", "1.2,3", ".5", "5.", "1e3", "--5", "-$-5", "USD 5 USD", "5 5", "(5)", "NaN"])(
    "does not guess the amount %j",
    (text) => {
      expect(() => read(`2026-11-18\t1\t${text}`)).toThrow(/line 2/);
    },
  );

  test.each([
    ["2026-11-18", "2026-11-18"],
    ["2026/11/18", "2026-11-18"],
    ["20261118", "2026-11-18"],
    ["2026-11-18T00:00:00Z", "2026-11-18"],
    ["2026-11-18 00:00:00 UTC", "2026-11-18"],
    ["18.11.2026", "2026-11-18"],
    ["1.2.2026", "2026-02-01"],
    ["18/11/2026", "2026-11-18"],
    ["18-11-2026", "2026-11-18"],
    ["11/18/2026", "2026-11-18"],
  ])("reads the day %s", (text, day) => {
    expect([...read(`${text}\t1\t1`).keys()]).toEqual([day]);
  });

  test.each(["2026-02-30", "2026-1-1", "05/11/2026", "13/13/2026", "2026-11/18", "2026-11-18 07:00", "202611188"])(
    "does not guess the day %s",
    (text) => {
      expect(() => read(`${text}\t1\t1`)).toThrow(/line 2: .* is no day/);
    },
  );

  test("has days or months first, as one of its days shows", () => {
    const days = (...texts: string[]) => [
      ...readInvoice(bytesOf(`day,imps,spend\n${texts.map((text) => `${text},1,1\n`).join("")}`), "USD", {}).keys(),
    ];
    expect(days("05/11/2026", "18/11/2026", "3.12.2026")).toEqual(["2026-11-05", "2026-11-18", "2026-12-03"]);
    expect(days("05/11/2026", "11/18/2026", "3.12.2026")).toEqual(["2026-05-11", "2026-11-18", "2026-12-03"]);
  });

  test("has decimal commas if an amount shows it, and then points in thousands", () => {
    const text = "Tag;Anzahl;Betrag\n18.11.2026;1.224;1.234,5 €\n05.12.2026;7;1,234\n";
    const columns = { day: "Tag", impressions: "Anzahl", spend: "Betrag" };
    expect(readInvoice(Buffer.from(text), "EUR", columns)).toEqual(
      new Map([
        ["2026-11-18", { impressions: 1224, nanos: 1_234_500_000_000n }],
        ["2026-12-05", { impressions: 7, nanos: 1_234_000_000n }],
      ]),
    );
  });

  test.each([
    ["Cost (EUR)", "EUR", null],
    ["Cost (EUR)", "USD", "EUR"],
    ["Cost EUR", "USD", "EUR"],
    ["cost_EUR", "USD", "EUR"],
    ["EUR", "USD", "EUR"],
    ["Cost (€)", "USD", "€"],
    ["Cost (€)", "EUR", null],
    ["Cost ($)", "EUR", "$"],
    ["Cost ($)", "AUD", null],
    ["Cost (R$)", "BRL", null],
    ["Cost (¥)", "CNY", null],
    ["Cost", "USD", null],
    ["COST NET", "USD", null],
    ["Cost of the SSP", "USD", null],
    ["Neuro cost", "USD", null],
  ])("with the title %j, read in %s, names another currency: %s", (title, cur, other) => {
    const day = () => read("2026-11-18\t1\t1", cur, title);
    if (other === null) expect([...day().values()]).toEqual([{ impressions: 1, nanos: 1_000_000_000n }]);
    else expect(day).toThrow(`line 1: the column ${title} is in ${other}; expected ${cur}, or name it with --cur`);
  });

  test("has amounts with a sign of its currency only", () => {
    expect(read("2026-11-18\t1\t€ 5", "EUR").size).toBe(1);
    expect(() => read("2026-11-18\t1\t€ 5", "USD")).toThrow(
      "line 2: the amount is in €; expected USD, or name it with --cur",
    );
  });

  test("has the columns that the person names, and more", () => {
    const text = "\ufeffTag,Spend,Anzahl,Betrag\n2026-11-18,9,7,1.5\n";
    const columns = columnsOf("day=Tag, impressions=Anzahl,spend=Betrag");
    expect(readInvoice(bytesOf(text), "EUR", columns)).toEqual(
      new Map([["2026-11-18", { impressions: 7, nanos: 1_500_000_000n }]]),
    );
    expect(() => columnsOf("date=Tag")).toThrow("--columns date=Tag: expected some of day=NAME, impressions=NAME and");
  });

  test("of the ledger's own days gives the ratio 1, and its double the ratio 2", () => {
    const day = fc.record({
      impressions: fc.integer({ min: 1, max: 2 ** 40 }),
      nanos: fc.bigInt({ min: 1n, max: 10n ** 20n }),
    });
    fc.assert(
      fc.property(fc.array(day, { minLength: 1, maxLength: 28 }), fc.constantFrom(1n, 2n), (days, times) => {
        const named = days.map((figures, at) => [`2026-11-${`${at + 1}`.padStart(2, "0")}`, figures] as const);
        const lines = named.map(([day, { impressions, nanos }]) => `${day},${impressions},${decimal(nanos * times)}`);
        const invoice = readInvoice(bytesOf(["day,imps,spend", ...lines].join("\n")), "USD");
        expect(ratioOf(sumsOf(joined(invoice, new Map(named))))).toBe(String(times));
      }),
    );
  });
});
