const day = 24 * 3_600_000;
const on = (days: number) => new Date(Date.now() + days * day);
const productId = "0b6f3f5e-6a3c-4d55-9a53-3b7f8a1c2d4e";
const longName = "Bartholomew-Maximilian Featherstonehaugh-Cholmondeley";
const longProduct = "Mirrorless camera with two lenses, a bag and everything that came in the box";

const sale = {
  id: "3f0c1a52-7f5e-4f43-9c3a-0d6f4f3f9b11",
  productId,
  productName: longProduct,
  side: "seller",
  kind: "auction",
  state: "awaiting",
  amount: 515_000,
  madeAt: on(-5),
  other: { name: longName, record: { handedOver: 11, of: 12, medianDays: 2.2 } },
  sellerSaidAt: null,
  buyerSaidAt: null,
  report: null,
  dueAt: null,
  fault: null,
  reason: "",
  may: { handOver: true, claims: ["notPaid", "noAnswer", "withdrawn"], answers: [] },
};

/** Answers of sales.ofProduct for states that take days to reach. */
export const salesOfProduct = {
  awaiting: { sale, secondChances: null, offer: null },
  reported: {
    sale: {
      ...sale,
      side: "buyer",
      report: { by: "seller", claim: "notPaid", at: on(-1), answer: null },
      dueAt: on(1),
      may: { handOver: false, claims: [], answers: ["done", "later", "untrue"] },
    },
    secondChances: null,
    offer: null,
  },
  decided: {
    sale: {
      ...sale,
      state: "handedOver",
      reason: "The courier's receipt shows that it was delivered on Tuesday.",
      may: { handOver: false, claims: [], answers: [] },
    },
    secondChances: null,
    offer: null,
  },
  fellThrough: {
    sale: {
      ...sale,
      state: "fellThrough",
      fault: "buyer",
      may: { handOver: false, claims: [], answers: [] },
    },
    secondChances: { open: null, next: { name: longName, amount: 480_100 }, why: "" },
    offer: null,
  },
  offered: {
    sale: null,
    secondChances: null,
    offer: { id: sale.id, productId, productName: longProduct, amount: 480_100, until: on(1) },
  },
};

/** An answer of sales.mine with every kind of entry. */
export const ownSales = {
  sales: [],
  offers: [salesOfProduct.offered.offer],
  strikes: [
    {
      id: sale.id,
      productId,
      productName: "Reading lamp",
      at: on(-30),
      until: on(335),
      liftedAt: null,
      reason: "",
    },
  ],
  barredUntil: null,
  wantsSecondChances: true,
};

/** An answer of sales.disputes, and one of sales.voidRequests. */
export const someDisputes = {
  disputes: [
    {
      id: sale.id,
      productId,
      productName: longProduct,
      amount: 515_000,
      madeAt: on(-6),
      report: { by: "seller", claim: "notPaid", at: on(-2), answer: "untrue" },
      seller: { id: "seller", name: "Lerato Dlamini" },
      buyer: { id: "buyer", name: longName },
      sellerSaidAt: null,
      buyerSaidAt: null,
    },
  ],
  next: null,
};
export const someVoidRequests = {
  requests: [
    {
      id: sale.id,
      productId,
      productName: "Walnut writing desk",
      bidder: longName,
      number: 4,
      amount: 90_000,
      reason: "Wrote to me that it was a joke, and then that it was a friend who typed it.",
      at: on(-1),
    },
  ],
};

const standing = {
  kind: "auction",
  state: "awaiting",
  sellerSaidAt: null,
  buyerSaidAt: null,
  report: null,
  dueAt: null,
  fault: null,
};
const reported = { by: "seller", claim: "notPaid", at: on(-1), answer: null };
const standings = [
  { ...standing, buyerSaidAt: on(-1), dueAt: on(6) },
  { ...standing, report: reported, dueAt: on(1) },
  { ...standing, state: "handedOver", sellerSaidAt: on(-1), buyerSaidAt: on(-2) },
  { ...standing, state: "disputed", report: { ...reported, answer: "untrue" } },
  { ...standing, state: "fellThrough", fault: "buyer", report: reported },
];

/** An answer of auctions.own with sold products in every state of their sales, and one of auctions.ownFigures. */
export const soldProducts = {
  products: standings.map((each, place) => ({
    id: `${productId.slice(0, -1)}${place}`,
    productName: place === 1 ? longProduct : "Reading lamp",
    category: "home",
    subcategory: "Decor",
    grade: "Grade A",
    state: "sold",
    price: 515_000,
    bidCount: 12,
    endDate: on(-5),
    createdAt: on(-9),
    hadBids: true,
    collectionPlace: "",
    courier: null,
    buyer: place === 1 ? longName : "Sipho Ndlovu",
    picture: null,
    sale: each,
  })),
  next: null,
};
const sold = (count: number) => ({ count, sum: count * 515_000 });
export const figuresOfSales = {
  open: { count: 1, sum: 30_500 },
  unsold: 1,
  sold: sold(5),
  sales: { awaiting: sold(2), handedOver: sold(1), fellThrough: sold(1), disputed: sold(1) },
};
