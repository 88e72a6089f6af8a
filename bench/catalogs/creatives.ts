//! Generates creatives with 300 to 600 bytes of markup, as ad servers return it.

import { between, chance } from "../../tools/traffic/draw.ts";
import type { Random } from "../../tools/traffic/random.ts";
import { MEDIA, SIZES } from "../../tools/traffic/vocabulary.ts";

export interface Creative {
  crid: string;
  [attribute: string]: unknown;
}

/** The creative with this number. */
export function creative(random: Random, number: number): Creative {
  const kinds = {
    banner: (random: Random, crid: string) => banner(random, crid, SIZES.draw(random)),
    video,
    native,
    audio,
  };
  return kinds[MEDIA.draw(random)](random, `k${number}`);
}

/** One in ten needs an API framework; one in twenty has an attribute that sites often block. */
export function banner(random: Random, crid: string, [w, h]: readonly [number, number]): Creative {
  const host = `https://cdn.ad${random.below(50)}.example/${random.hex(12)}`;
  const adm =
    `<a href="https://click.example/c/${random.hex(24)}?a=\${AUCTION_ID}&u=${random.hex(between(random, 0, 160))}" ` +
    `target="_blank" rel="noopener"><img src="${host}/${w}x${h}.webp" width="${w}" height="${h}" alt=""></a>` +
    `<img src="https://t.example/i?p=\${AUCTION_PRICE}&k=${random.hex(between(random, 16, 120))}" width="1" height="1" alt="">`;
  return {
    crid,
    ...(chance(random, 0.1) && { api: [5] }),
    ...(chance(random, 0.05) && { attr: [between(random, 1, 3)] }),
    banner: { w, h, btype: 2, adm },
  };
}

export function video(random: Random, crid: string): Creative {
  const file = `https://v.example/${random.hex(12)}`;
  return {
    crid,
    video: {
      dur: random.pick([6, 10, 15, 15, 20, 30, 30, 60]),
      protocol: random.pick([2, 3, 3, 7]),
      w: 1280,
      h: 720,
      media: [
        { url: `${file}.mp4`, mime: "video/mp4", bitrate: between(random, 600, 2400) },
        ...(chance(random, 0.5) ? [{ url: `${file}.webm`, mime: "video/webm", bitrate: 900 }] : []),
      ],
      clickthrough: `https://click.example/c/${random.hex(24)}`,
      impression: [`https://t.example/i?p=\${AUCTION_PRICE}&k=${random.hex(32)}`],
    },
  };
}

function audio(random: Random, crid: string): Creative {
  return {
    crid,
    audio: {
      dur: random.pick([15, 30]),
      protocol: 7,
      media: [{ url: `https://v.example/${random.hex(12)}.mp3`, mime: "audio/mpeg", bitrate: 128 }],
      impression: [`https://t.example/i?p=\${AUCTION_PRICE}&k=${random.hex(32)}`],
    },
  };
}

export function native(random: Random, crid: string): Creative {
  const image = `https://cdn.ad${random.below(50)}.example/${random.hex(12)}`;
  return {
    crid,
    native: {
      title: random.pick(["Sleep better by Sunday", "Die Stadt von oben sehen", 'A "100-night" trial']),
      img: [
        { type: 1, url: `${image}-i.png`, w: 80, h: 80 },
        { type: 3, url: `${image}-m.jpg`, w: 1200, h: 627 },
      ],
      data: [
        { type: 1, value: `Brand ${random.below(1000)}` },
        { type: 2, value: "Delivered to your door." },
        { type: 12, value: "Try it" },
      ],
      link: `https://click.example/c/${random.hex(24)}`,
      imptrackers: [`https://t.example/i?p=\${AUCTION_PRICE}&k=${random.hex(16)}`],
    },
  };
}
