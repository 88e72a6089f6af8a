// The Worker and the classes of its Durable Objects, which wrangler.toml names. Leave all of them here.
export { Deals, default, Frequency, Ledger, Pacer, Relay, Summary } from "edgebid/worker";
