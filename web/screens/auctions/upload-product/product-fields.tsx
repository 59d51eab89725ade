import { Anchor } from "@mantine/core";
import { useState } from "react";
import { Link } from "react-router";
import {
  auctionLimits,
  categories,
  categoryLabels,
  grades,
  isCategory,
  isSubcategoryOf,
  subcategoriesOf,
} from "#domain/auction.ts";
import { amountTextLimit } from "#domain/money.ts";
import { SelectField } from "../../../ui/form/select-field.tsx";
import { TextAreaField } from "../../../ui/form/text-area-field.tsx";
import { TextField } from "../../../ui/form/text-field.tsx";
import { localInput } from "./local-date.ts";
import classes from "./upload-form.module.css";
import type { ProductTexts } from "./use-upload.ts";

type Choice = { value: string; label: string };
const choices = (prompt: string, options: readonly Choice[]): Choice[] => [
  { value: "", label: prompt },
  ...options,
];
const plain = (value: string): Choice => ({ value, label: value });
const categoryChoices = choices(
  "Choose a category",
  categories.map((value) => ({ value, label: categoryLabels[value] })),
);

/** What is sold: its name, what it is like and what kind of thing it is. */
export function ProductFields({ typed }: { typed: ProductTexts }) {
  return (
    <>
      <TextField
        name="productName"
        label="Product name"
        defaultValue={typed.productName}
        maxLength={auctionLimits.productName}
      />
      <TextAreaField
        name="description"
        label="Description"
        description="What it is, what comes with it, what is worn. Buyers can't touch it."
        rows={5}
        defaultValue={typed.description}
        maxLength={auctionLimits.description}
      />
      <Kind typed={typed} />
      <div className={classes.pair}>
        <SelectField
          name="grade"
          label="Grade"
          description={
            <Anchor component={Link} to="/grading-guide" size="sm">
              What the grades promise
            </Anchor>
          }
          data={choices("Choose a grade", grades.map(plain))}
          defaultValue={typed.grade}
        />
      </div>
    </>
  );
}

/** Changing the category resets the subcategory (spec 5). */
function Kind({ typed }: { typed: ProductTexts }) {
  const [category, setCategory] = useState(typed.category);
  const subcategories = isCategory(category) ? subcategoriesOf[category] : [];
  const isKept =
    category === typed.category && isCategory(category) && isSubcategoryOf(category, typed.subcategory);
  return (
    <div className={classes.pair}>
      <SelectField
        name="category"
        label="Category"
        data={categoryChoices}
        value={category}
        onChange={({ currentTarget }) => setCategory(currentTarget.value)}
      />
      <SelectField
        // Another list, with nothing chosen in it.
        key={category}
        name="subcategory"
        label="Subcategory"
        data={choices(
          subcategories.length > 0 ? "Choose a subcategory" : "Choose a category first",
          subcategories.map(plain),
        )}
        defaultValue={isKept ? typed.subcategory : ""}
      />
    </div>
  );
}

/** What is asked for it, and until when; the date is in the viewer's time zone, which is named. */
export function SaleFields({ typed }: { typed: ProductTexts }) {
  const [now] = useState(() => Date.now());
  const { timeZone } = new Intl.DateTimeFormat().resolvedOptions();
  return (
    <div className={classes.pair}>
      <TextField
        name="startingBid"
        label="Starting bid"
        description="In rand, such as 1250 or 1250.50"
        leftSection="R"
        inputMode="decimal"
        autoComplete="off"
        defaultValue={typed.startingBid}
        maxLength={amountTextLimit}
      />
      <TextField
        name="endDate"
        type="datetime-local"
        label="End date"
        description={`10 minutes to 90 days from now, in your time zone (${timeZone})`}
        min={localInput(new Date(now + auctionLimits.shortest))}
        max={localInput(new Date(now + auctionLimits.longest))}
        defaultValue={typed.endDate}
      />
    </div>
  );
}
