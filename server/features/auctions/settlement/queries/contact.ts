import { and, eq } from "drizzle-orm";
import { hasAccess } from "#domain/account.ts";
import { user } from "#server/features/account/tables.ts";
import type { Reader } from "#server/platform/database.ts";
import { auctionProduct } from "../../tables.ts";

export type Contact = { name: string; email: string; phone: string };

/**
 * Once a product is sold, the winner's contact details for its seller and the seller's for its winner; null for
 * everyone else, and where the other's account is lost.
 */
export async function contactFor(db: Reader, productId: string, viewerId: string): Promise<Contact | null> {
  const [sale] = await db
    .select({ sellerId: auctionProduct.sellerId, winnerId: auctionProduct.winnerId })
    .from(auctionProduct)
    .where(and(eq(auctionProduct.id, productId), eq(auctionProduct.state, "sold")))
    .prepare("sale")
    .execute();
  const otherId = sale && otherOf(sale, viewerId);
  if (!otherId) return null;
  const [other] = await db
    .select({ name: user.name, email: user.email, phone: user.phone, role: user.role, status: user.status })
    .from(user)
    .where(eq(user.id, otherId))
    .prepare("sale_contact")
    .execute();
  if (!other || !hasAccess(other)) return null;
  return { name: other.name, email: other.email, phone: other.phone };
}

function otherOf(
  sale: { sellerId: string | null; winnerId: string | null },
  viewerId: string,
): string | null {
  if (viewerId === sale.sellerId) return sale.winnerId;
  return viewerId === sale.winnerId ? sale.sellerId : null;
}
