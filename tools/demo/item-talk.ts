import { emptyDraft } from "#domain/item-draft.ts";
import { amountInput } from "#domain/money.ts";
import type {
  auctionAddition,
  auctionDraft,
  auctionQuestion,
} from "#server/features/auctions/selling/tables.ts";
import type { Market } from "./market.ts";
import { Random } from "./random.ts";
import { after, daysBefore, hour } from "./time.ts";

export type ItemTalk = {
  questions: (typeof auctionQuestion.$inferInsert)[];
  additions: (typeof auctionAddition.$inferInsert)[];
  drafts: (typeof auctionDraft.$inferInsert)[];
};

const answers: readonly (readonly [question: string, answer: string])[] = [
  ["Is there any damage that the pictures don't show?", "No, what you see is all there is."],
  ["Can I collect it on a Saturday?", "Yes, any Saturday before noon."],
  ["Does everything work?", "Yes, I used it until last week."],
  ["Does it come in its box?", "The box is gone, but I will pack it well."],
];
const additions: readonly string[] = [
  "I found the spare key. It comes with it.",
  "Collection works on weekday evenings too.",
];

/** Plans questions to sellers, most of them answered, additions to descriptions, and drafts of some sellers. */
export function planItemTalk({ offers, bidders }: Pick<Market, "offers" | "bidders">, now: Date): ItemTalk {
  const random = new Random("item talk");
  const talk: ItemTalk = { questions: [], additions: [], drafts: [] };
  const open = offers.filter(({ fate }) => fate === "open");
  for (const [place, { product }] of open.entries()) {
    const { id: productId, createdAt, sellerId } = product;
    const middle = after(createdAt, (now.getTime() - createdAt.getTime()) / 2);
    const asker = bidders.find((each) => each.productId === productId)?.bidderId;
    if (asker !== undefined && random.chance(0.3)) {
      const [text, answer] = random.pick(answers);
      const isAnswered = random.chance(0.7);
      const answered = isAnswered ? { answer, answeredAt: after(middle, 1_000) } : {};
      talk.questions.push({ id: random.uuid(), productId, askerId: asker, text, at: middle, ...answered });
    }
    const isEarly = product.endDate.getTime() - middle.getTime() > 12 * hour;
    if (asker !== undefined && isEarly && random.chance(0.1))
      talk.additions.push({ productId, number: 1, text: random.pick(additions), at: middle });
    if (place % 25 === 0)
      talk.drafts.push({
        id: random.uuid(),
        ownerId: sellerId,
        form: {
          ...emptyDraft,
          productName: product.productName,
          category: product.category,
          startingBid: amountInput(product.startingBid),
        },
        changedAt: daysBefore(now, 1),
      });
  }
  return talk;
}
