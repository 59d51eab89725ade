import { type Category, type Grade, grades } from "#domain/auction.ts";
import type { Colours, Drawing } from "./drawings.ts";

/** A thing's material or colour, with the colours in which its picture is drawn. */
type Finish = Colours & { name: string };
/** A remark about a thing, and the grades whose promise it keeps. */
export type Remark = { text: string; grades: readonly Grade[] };

/**
 * A kind of thing: its names, in which {finish} stands for the finish unless that comes first; possible remarks; and
 * the range of its starting bid, in rand.
 */
export type Thing = {
  category: Category;
  subcategory: string;
  drawing: Drawing;
  finishes: readonly Finish[];
  names: readonly string[];
  details: readonly Remark[];
  rand: readonly [least: number, most: number];
};

const finish = (name: string, main: string, dark: string, light: string): Finish => ({
  name,
  main,
  dark,
  light,
});
export const says = (text: string, ...fitting: readonly Grade[]): Remark => ({
  text,
  grades: fitting.length > 0 ? fitting : grades,
});
const used = ["Grade A+", "Grade A", "Grade B", "Grade C"] as const;

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
const camel = finish("Camel", "#bf9263", "#84603b", "#f2e6d6");
const cognac = finish("Cognac", "#9a5a30", "#613519", "#f0dfcf");
const terracotta = finish("Terracotta", "#bd6a48", "#7f4027", "#f3dfd4");
const white = finish("White", "#e9edf0", "#7d8894", "#f8fafb");

export const things: readonly Thing[] = [
  {
    category: "home",
    subcategory: "Furniture",
    drawing: "desk",
    finishes: [walnut, oak],
    names: ["writing desk", "study desk", "desk with two drawers", "student desk"],
    details: [
      says(""),
      says("140 cm wide"),
      says("solid wood"),
      says("from a home office", ...used),
      says("with lamp hole"),
    ],
    rand: [450, 2800],
  },
  {
    category: "electronics",
    subcategory: "Laptops",
    drawing: "laptop",
    finishes: [silver, black],
    names: ["laptop", "notebook", "ultrabook", "convertible laptop"],
    details: [
      says("14 inch, 16 GB"),
      says("13 inch, 8 GB"),
      says("15.6 inch, 512 GB SSD"),
      says("with charger and sleeve", "New", "Grade A+"),
    ],
    rand: [2500, 14_000],
  },
  {
    category: "fashion",
    subcategory: "Clothing",
    drawing: "coat",
    finishes: [navy, camel],
    names: ["winter coat", "wool jacket", "blazer", "coat for northern winters"],
    details: [
      says("size M"),
      says("size L"),
      says("size S, hardly worn", "Grade A+"),
      says("lined"),
      says(""),
    ],
    rand: [150, 900],
  },
  {
    category: "electronics",
    subcategory: "Phones",
    drawing: "phone",
    finishes: [blue, black],
    names: ["smartphone", "phone, dual SIM", "smartphone, 128 GB", "phone, 64 GB"],
    details: [
      says(""),
      says("unlocked"),
      says("with two covers"),
      says("new battery", "Grade A", "Grade B"),
      says("small scratch on the back", "Grade B"),
    ],
    rand: [600, 7500],
  },
  {
    category: "home",
    subcategory: "Decor",
    drawing: "lamp",
    finishes: [cream, green],
    names: ["reading lamp", "bedside lamp", "table lamp", "desk lamp"],
    details: [says(""), says("with LED bulb", "New", "Grade A+", "Grade A", "Grade B"), says("45 cm")],
    rand: [60, 450],
  },
  {
    category: "fashion",
    subcategory: "Shoes",
    drawing: "shoes",
    finishes: [red, navy],
    names: ["running shoes", "trainers", "high-top trainers", "walking shoes"],
    details: [
      says("size 40"),
      says("size 42"),
      says("size 44.5"),
      says("worn twice", "Grade A+", "Grade A"),
      says("UK 7"),
    ],
    rand: [120, 1100],
  },
  {
    category: "home",
    subcategory: "Appliances",
    drawing: "kettle",
    finishes: [red, cream],
    names: ["kettle", "tea kettle", "whistling kettle", "enamel kettle"],
    details: [says("1.7 litres"), says("2 litres"), says(""), says("for gas and induction")],
    rand: [50, 380],
  },
  {
    category: "electronics",
    subcategory: "Accessories",
    drawing: "headphones",
    finishes: [black, silver],
    names: ["headphones", "wireless headphones", "studio headphones"],
    details: [
      says("noise cancelling"),
      says("with case"),
      says("new ear pads", "Grade A", "Grade B"),
      says(""),
      says("30 hours of battery"),
    ],
    rand: [180, 2400],
  },
  {
    category: "fashion",
    subcategory: "Accessories",
    drawing: "bag",
    finishes: [cognac, green],
    names: ["leather handbag", "satchel", "handbag", "laptop bag"],
    details: [says(""), says("with shoulder strap"), says("fits 14 inch"), says("hand-stitched")],
    rand: [120, 1600],
  },
  {
    category: "home",
    subcategory: "Furniture",
    drawing: "armchair",
    finishes: [green, yellow],
    names: ["armchair", "reading chair", "velvet armchair", "low armchair"],
    details: [
      says(""),
      says("newly covered", "Grade A+", "Grade A"),
      says("from a smoke-free home", ...used),
    ],
    rand: [400, 3600],
  },
  {
    category: "electronics",
    subcategory: "Accessories",
    drawing: "camera",
    finishes: [black, silver],
    names: ["mirrorless camera", "compact camera", "camera body", "film camera"],
    details: [
      says("with 35 mm lens"),
      says("two batteries"),
      says("with bag, strap and everything that came in the box", "New", "Grade A+"),
      says(""),
    ],
    rand: [800, 9500],
  },
  {
    category: "fashion",
    subcategory: "Clothing",
    drawing: "dress",
    finishes: [red, blue],
    names: ["summer dress", "graduation dress", "evening dress", "pleated dress"],
    details: [says("size 38"), says("size 36"), says("never worn", "New"), says("with pockets")],
    rand: [100, 950],
  },
  {
    category: "home",
    subcategory: "Appliances",
    drawing: "washer",
    finishes: [white, silver],
    names: ["washing machine", "washer-dryer", "compact washing machine"],
    details: [
      says("7 kg"),
      says("8 kg, A-rated"),
      says("45 cm deep"),
      says("two years old", "Grade A", "Grade B", "Grade C"),
    ],
    rand: [900, 5200],
  },
  {
    category: "home",
    subcategory: "Decor",
    drawing: "vase",
    finishes: [blue, terracotta],
    names: ["vase", "ceramic vase", "hand-thrown vase", "floor vase"],
    details: [
      says(""),
      says("30 cm"),
      says("without the flowers"),
      says("small chip at the foot", "Grade B"),
    ],
    rand: [40, 600],
  },
  {
    category: "home",
    subcategory: "Furniture",
    drawing: "armchairs",
    finishes: [green, yellow],
    names: ["Pair of {finish} armchairs", "Pair of low {finish} armchairs"],
    details: [
      says(""),
      says("newly covered", "Grade A+", "Grade A"),
      says("from a smoke-free home", ...used),
    ],
    rand: [800, 6400],
  },
];
