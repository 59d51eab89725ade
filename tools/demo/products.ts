import { auctionLimits, auctionRules, type Grade, grades } from "#domain/auction.ts";
import { checkProduct } from "#domain/product-check.ts";
import type { TagOf } from "#server/features/auctions/catalogue/read-product.ts";
import type { auctionPicture, auctionProduct } from "#server/features/auctions/tables.ts";
import { type Thing, things } from "./catalogue.ts";
import { deliveries, descriptions, handovers } from "./descriptions.ts";
import { views } from "./drawings.ts";
import type { Account } from "./people.ts";
import { at, Random } from "./random.ts";
import { after, day, daysBefore, hour, minute } from "./time.ts";

/** Fates of a product; a `hurried` one ends within minutes. */
export type Fate = "hurried" | "open" | "sold" | "unsold" | "removed";
export type Product = typeof auctionProduct.$inferInsert & {
  sellerId: string;
  createdAt: Date;
  rules: number;
  sellerTag: string;
  softClose: boolean;
};
type Picture = typeof auctionPicture.$inferInsert;
export type Offer = {
  product: Product;
  fate: Fate;
  pictures: Picture[];
  /** The photographs in the pictures. */
  photographs: readonly Photograph[];
};
export type Photograph = Pick<Thing, "drawing"> & {
  colours: Thing["finishes"][number];
  view: (typeof views)[number];
};

/** Returns a product's fate. One in sixty is hurried, and two at least. */
function fateOf(place: number, number: number): Fate {
  if (place < Math.max(2, number / 60)) return "hurried";
  const turn = place % 20;
  if ([3, 9, 15].includes(turn)) return "sold";
  if ([6, 18].includes(turn)) return "unsold";
  return turn === 12 ? "removed" : "open";
}

type Period = { createdAt: Date; endDate: Date };

/** Returns the time on sale: at most as long as the form allows, with an end that suits the fate. */
function periodOf(random: Random, fate: Fate, place: number, now: Date): Period {
  switch (fate) {
    case "hurried":
      return {
        createdAt: daysBefore(now, random.between(3, 9)),
        endDate: after(now, (3 + place * 1.5) * minute + random.between(0, 60_000)),
      };
    case "sold":
    case "unsold": {
      const endDate = daysBefore(now, random.between(0.05, 45));
      return { createdAt: daysBefore(endDate, random.between(2, 12)), endDate };
    }
    case "open":
    case "removed": {
      const createdAt = daysBefore(now, random.between(0.05, 25));
      const longest = createdAt.getTime() + auctionLimits.longest - now.getTime();
      // Sooner ends are more frequent, as people choose them; removed items would still be on sale.
      const ahead = hour + random.next() ** 2 * Math.min(30 * day, longest - 2 * hour);
      return { createdAt, endDate: after(now, fate === "removed" ? ahead + day : ahead) };
    }
  }
}

const keeps =
  (grade: Grade) =>
  ({ grades }: { grades: readonly Grade[] }) =>
    grades.includes(grade);

function nameOf(random: Random, thing: Thing, finish: string, grade: Grade): string {
  const [name, detail] = [random.pick(thing.names), random.pick(thing.details.filter(keeps(grade))).text];
  const whole = name.includes("{finish}")
    ? name.replace("{finish}", finish.toLowerCase())
    : `${finish} ${name}`;
  return `${whole}${detail && `, ${detail}`}`;
}

function descriptionOf(random: Random, { category, subcategory }: Thing, grade: Grade): string {
  const fitting = descriptions.filter(
    ({ kinds }) => !kinds || kinds.includes(category) || kinds.includes(subcategory),
  );
  return random.pick(fitting.filter(keeps(grade))).text;
}

/** Returns a starting bid in rand, rounded as people do. */
function startOf(random: Random, [least, most]: Thing["rand"]): string {
  const rand = least * (most / least) ** random.next();
  const step = rand < 100 ? 5 : rand < 1000 ? 25 : 250;
  return random.chance(0.1)
    ? `${Math.round(rand)}.50`
    : String(Math.max(step, Math.round(rand / step) * step));
}

type Facts = { place: number; fate: Fate; sellers: readonly Account[]; now: Date; tagOf: TagOf };

function offerOf(random: Random, { place, fate, sellers, now, tagOf }: Facts): Offer {
  const thing = at(things, place);
  const colours = random.pick(thing.finishes);
  const photographs = views
    .slice(0, random.chance(0.4) ? 2 : 1)
    .map((view) => ({ drawing: thing.drawing, colours, view }));
  const { createdAt, endDate } = periodOf(random, fate, place, now);
  const grade = random.pick(grades);
  const form = {
    productName: nameOf(random, thing, colours.name, grade),
    description: descriptionOf(random, thing, grade),
    startingBid: startOf(random, thing.rand),
    category: thing.category,
    subcategory: thing.subcategory,
    grade,
    handover: random.pick(handovers),
    softClose: true,
    ...random.pick(deliveries),
    endDate,
    images: photographs.length,
  };
  const terms = checkProduct(form, createdAt);
  if ("code" in terms) throw new Error(`${form.productName}: ${terms.message}`);
  const sellerId = random.pick(sellers).id;
  const id = random.uuid();
  const product: Product = {
    ...terms,
    rules: auctionRules,
    sellerTag: tagOf(id, sellerId),
    id,
    sellerId,
    createdAt,
  };
  const pictures = photographs.map(
    (_, position): Picture => ({
      id: random.uuid(),
      ownerId: sellerId,
      productId: product.id,
      position,
      width: 1600,
      height: 1200,
      createdAt: after(createdAt, -5 * minute),
    }),
  );
  return { product, fate, pictures, photographs };
}

/** Plans the products that are or were on sale; one in 37 is the first seller's. */
export function planOffers(number: number, sellers: readonly Account[], now: Date, tagOf: TagOf): Offer[] {
  const random = new Random("products");
  const [first] = sellers;
  return Array.from({ length: number }, (_, place) =>
    offerOf(random, {
      place,
      fate: fateOf(place, number),
      sellers: place % 37 === 1 && first ? [first] : sellers,
      now,
      tagOf,
    }),
  );
}
