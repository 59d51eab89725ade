import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { receiptsIn } from "#domain/history-lines.ts";
import { verifyAuction } from "./verify-auction.ts";

/**
 * `npm run verify -- URL [--receipt FILE]… [--checkpoint FILE]`: checks an auction's history without trust in its pages
 * (docs/auctions.md, "Open books"). `--checkpoint` compares the log with the one of the last time, and keeps the
 * present one in the file.
 */
const usage = "npm run verify -- https://HOST/product/ID [--receipt FILE] [--checkpoint FILE]";

function fail(message: string): never {
  console.error(message);
  process.exit(2);
}

function readArguments() {
  try {
    return parseArgs({
      allowPositionals: true,
      options: { receipt: { type: "string", multiple: true }, checkpoint: { type: "string" } },
    });
  } catch {
    return fail(usage);
  }
}

const { positionals, values } = readArguments();
const [address = ""] = positionals;
const url = URL.canParse(address) ? new URL(address) : fail(usage);
const [productId = fail(usage)] =
  /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/.exec(url.pathname.toLowerCase()) ?? [];

const receipts = (values.receipt ?? []).flatMap((file) => {
  const ofFile = receiptsIn(readFileSync(file, "utf8"));
  return ofFile.length > 0 ? ofFile : fail(`${file} has no receipt.`);
});
const { checkpoint: file } = values;
const earlier = file !== undefined && existsSync(file) ? readFileSync(file, "utf8") : null;
const { findings, checkpoint } = await verifyAuction((path) => fetch(new URL(path, url.origin)), {
  productId,
  receipts,
  earlier,
});
for (const { holds, text } of findings) console.log(`${holds ? "holds " : "BROKEN"}  ${text}`);
const isWhole = findings.every(({ holds }) => holds);
if (file !== undefined && checkpoint !== null && isWhole) writeFileSync(file, checkpoint);
process.exit(isWhole ? 0 : 1);
