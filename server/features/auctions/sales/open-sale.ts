import type { Cents } from "#domain/money.ts";
import type { SaleKind } from "#domain/sale.ts";
import type { Transaction } from "#server/platform/database.ts";
import { sale, saleEvent } from "./tables.ts";

export type NewSale = {
  productId: string;
  sellerId: string | null;
  buyerId: string;
  amount: Cents;
  kind: SaleKind;
  madeAt: Date;
};

/** Records sales in the transaction that makes them. */
export async function recordSales(tx: Transaction, sales: readonly NewSale[]): Promise<void> {
  if (sales.length === 0) return;
  const rows = await tx
    .insert(sale)
    .values([...sales])
    .returning({ saleId: sale.id, at: sale.madeAt });
  await tx.insert(saleEvent).values(rows.map((row) => ({ ...row, number: 1, kind: "made" as const })));
}
