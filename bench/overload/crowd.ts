//! Clients that take room and give nothing: idle ones, slow senders and slow readers.

import { once } from "node:events";
import { connect, type Socket } from "node:net";
import type { Case } from "../http/requests.ts";

/** Numbers of clients. */
export interface Crowd {
  /** Connections without a request. */
  idle: number;
  /** Requests of one SSP whose bodies never become complete. */
  senders: number;
  /** Clients that send requests and read no answer. */
  readers: number;
}

/** Requests that a slow reader sends at once. */
const UNREAD = 20;
/** Connections that are opened at once. */
const AT_ONCE = 50;

/** Opens the connections. Returns how to close them. `slow` is the SSP of the senders. */
export async function gather(
  origin: string,
  { idle, senders, readers }: Crowd,
  slow: string,
  cases: readonly Case[],
): Promise<() => void> {
  const { port } = new URL(origin);
  const sockets: Socket[] = [];
  const reading = cases.slice(0, UNREAD).map(({ text }) => `${head("demo", Buffer.byteLength(text))}${text}`);
  const waiting = [
    ...Array.from({ length: idle }, () => ""),
    ...Array.from({ length: senders }, () => `${head(slow, 2)}{`),
    ...Array.from({ length: readers }, () => reading.join("")),
  ].values();
  const opener = async () => {
    for (const text of waiting) {
      const socket = connect(Number(port), "127.0.0.1");
      sockets.push(socket);
      await once(socket, "connect");
      // The bidder closes connections over its limits.
      socket.on("error", () => {}).pause();
      socket.write(text);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, opener));
  return () => {
    for (const socket of sockets) socket.destroy();
  };
}

function head(ssp: string, length: number): string {
  return `POST /bid/${ssp} HTTP/1.1\r\nhost: bidder.example\r\ncontent-type: application/json\r\ncontent-length: ${length}\r\n\r\n`;
}
