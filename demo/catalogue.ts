import type { Category } from "#domain/auction.ts";
import type { Colours, Drawing } from "./drawings.ts";

/** What a thing is made of or which colour it has, and what its picture is drawn in. */
type Finish = Colours & { name: string };
/** A kind of thing: its names, what may be said of it, and from how much to how much it starts, in rand. */
export type Thing = {
  category: Category;
  subcategory: string;
  drawing: Drawing;
  finishes: readonly Finish[];
  names: readonly string[];
  details: readonly string[];
  rand: readonly [least: number, most: number];
};

const finish = (name: string, main: string, dark: string, light: string): Finish => ({
  name,
  main,
  dark,
  light,
});
const walnut = finish("Walnut", "#7a5234", "#4f3420", "#e9dcc9");
const oak = finish("Light oak", "#c39a66", "#8a6638", "#f0e6d4");
const black = finish("Black", "#3a3f47", "#1c1f24", "#c9d0d8");
const silver = finish("Silver", "#a9b4bf", "#5c6874", "#e3e9ee");
const navy = finish("Navy blue", "#2c4a78", "#1a2d4b", "#d6e0ee");
const red = finish("Dark red", "#a5393c", "#672022", "#f1d9d5");
const green = finish("Forest green", "#2f6b57", "#1a4236", "#d7e6de");
const cream = finish("Cream", "#e2cda6", "#a58754", "#f7efdf");
const yellow = finish("Mustard", "#d8a033", "#94681a", "#f7e9c6");
const blue = finish("Sky blue", "#5d9bc4", "#2f6488", "#dcebf4");

export const things: readonly Thing[] = [
  {
    category: "home",
    subcategory: "Furniture",
    drawing: "desk",
    finishes: [walnut, oak],
    names: ["writing desk", "study desk", "desk with two drawers", "student desk"],
    details: ["", "140 cm wide", "solid wood", "from a home office", "with lamp hole"],
    rand: [450, 2800],
  },
  {
    category: "electronics",
    subcategory: "Laptops",
    drawing: "laptop",
    finishes: [silver, black],
    names: ["laptop", "notebook", "ultrabook", "convertible laptop"],
    details: ["14 inch, 16 GB", "13 inch, 8 GB", "15.6 inch, 512 GB SSD", "with charger and sleeve"],
    rand: [2500, 14_000],
  },
  {
    category: "fashion",
    subcategory: "Clothing",
    drawing: "coat",
    finishes: [navy, walnut],
    names: ["winter coat", "wool jacket", "blazer", "coat for northern winters"],
    details: ["size M", "size L", "size S, hardly worn", "lined", ""],
    rand: [150, 900],
  },
  {
    category: "electronics",
    subcategory: "Phones",
    drawing: "phone",
    finishes: [blue, black],
    names: ["smartphone", "phone, dual SIM", "smartphone, 128 GB", "phone, 64 GB"],
    details: ["", "unlocked", "with two covers", "new battery", "small scratch on the back"],
    rand: [600, 7500],
  },
  {
    category: "home",
    subcategory: "Decor",
    drawing: "lamp",
    finishes: [cream, green],
    names: ["reading lamp", "bedside lamp", "table lamp", "desk lamp"],
    details: ["", "with LED bulb", "pair of two", "45 cm"],
    rand: [60, 450],
  },
  {
    category: "fashion",
    subcategory: "Shoes",
    drawing: "shoes",
    finishes: [red, silver],
    names: ["running shoes", "trainers", "high-top trainers", "walking shoes"],
    details: ["size 40", "size 42", "size 44.5", "worn twice", "UK 7"],
    rand: [120, 1100],
  },
  {
    category: "home",
    subcategory: "Appliances",
    drawing: "kettle",
    finishes: [red, cream],
    names: ["kettle", "tea kettle", "whistling kettle", "enamel kettle"],
    details: ["1.7 litres", "2 litres", "", "for gas and induction"],
    rand: [50, 380],
  },
  {
    category: "electronics",
    subcategory: "Accessories",
    drawing: "headphones",
    finishes: [black, yellow],
    names: ["headphones", "wireless headphones", "studio headphones"],
    details: ["noise cancelling", "with case", "new ear pads", "", "30 hours of battery"],
    rand: [180, 2400],
  },
  {
    category: "fashion",
    subcategory: "Accessories",
    drawing: "bag",
    finishes: [walnut, green],
    names: ["leather handbag", "satchel", "handbag", "laptop bag"],
    details: ["", "with shoulder strap", "fits 14 inch", "hand-stitched"],
    rand: [120, 1600],
  },
  {
    category: "home",
    subcategory: "Furniture",
    drawing: "armchair",
    finishes: [green, yellow],
    names: ["armchair", "reading chair", "velvet armchair", "low armchair"],
    details: ["", "newly covered", "from a smoke-free home", "two of them, sold together"],
    rand: [400, 3600],
  },
  {
    category: "electronics",
    subcategory: "Accessories",
    drawing: "camera",
    finishes: [black, walnut],
    names: ["mirrorless camera", "compact camera", "camera body", "film camera"],
    details: ["with 35 mm lens", "two batteries", "with bag, strap and everything that came in the box", ""],
    rand: [800, 9500],
  },
  {
    category: "fashion",
    subcategory: "Clothing",
    drawing: "dress",
    finishes: [red, blue],
    names: ["summer dress", "graduation dress", "evening dress", "pleated dress"],
    details: ["size 38", "size 36", "never worn", "with pockets"],
    rand: [100, 950],
  },
  {
    category: "home",
    subcategory: "Appliances",
    drawing: "washer",
    finishes: [silver, cream],
    names: ["washing machine", "washer-dryer", "compact washing machine"],
    details: ["7 kg", "8 kg, A-rated", "45 cm deep", "two years old"],
    rand: [900, 5200],
  },
  {
    category: "home",
    subcategory: "Decor",
    drawing: "vase",
    finishes: [blue, walnut],
    names: ["vase", "ceramic vase", "hand-thrown vase", "floor vase"],
    details: ["", "30 cm", "without the flowers", "small chip at the foot"],
    rand: [40, 600],
  },
];

export const descriptions: readonly string[] = [
  "Bought for my first year and well looked after. Works as it should; small signs of use as in the pictures.",
  "I'm moving abroad in September and can't take it with me. It comes with what is shown and nothing else.",
  "Kept in a smoke-free home.\n\nCan be seen any weekday after five; please write first.",
  "A present that I have never used. The box is still there.",
  "Used for two semesters, cleaned and checked before this was written. Questions are welcome.",
  "From my grandmother's flat. It has its years, and it wears them well.",
];

export const handovers: readonly string[] = [
  "",
  "",
  "Collect in Rosebank, Johannesburg",
  "Collect in Observatory, Cape Town",
  "Courier at the buyer's cost",
  "Collect near the university in Hatfield, Pretoria, weekends only",
];
