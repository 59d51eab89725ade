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
import { hintBelow } from "../../../ui/form/hint-below.ts";
import { SelectField } from "../../../ui/form/select-field.tsx";
import { TextAreaField } from "../../../ui/form/text-area-field.tsx";
import { TextField } from "../../../ui/form/text-field.tsx";
import { MoneyField } from "../money-field.tsx";
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
        description="What it is, what comes with it, and any signs of wear. Buyers can't see it in person."
        rows={5}
        defaultValue={typed.description}
        maxLength={auctionLimits.description}
      />
      <Kind typed={typed} />
      <div className={classes.pair}>
        <SelectField
          name="grade"
          label="Grade"
          inputWrapperOrder={hintBelow}
          description={
            <Anchor component={Link} to="/grading-guide" size="sm">
              What each grade means
            </Anchor>
          }
          data={choices("Choose a grade", grades.map(plain))}
          defaultValue={typed.grade}
        />
      </div>
    </>
  );
}

/** Changing the category resets the subcategory. */
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

/** What is asked for it, until when, and how the buyer gets it; the date is in the viewer's time zone, which is named. */
export function SaleFields({ typed }: { typed: ProductTexts }) {
  const [now] = useState(() => Date.now());
  const [startingBid, setStartingBid] = useState(typed.startingBid);
  const { timeZone } = new Intl.DateTimeFormat().resolvedOptions();
  return (
    <>
      <div className={classes.pair}>
        <MoneyField
          name="startingBid"
          label="Starting bid"
          hint="In rand"
          value={startingBid}
          onType={setStartingBid}
        />
        <TextField
          name="endDate"
          type="datetime-local"
          label="End date"
          inputWrapperOrder={hintBelow}
          description={`10 minutes to 90 days from now, in your time zone (${timeZone})`}
          min={localInput(new Date(now + auctionLimits.shortest))}
          max={localInput(new Date(now + auctionLimits.longest))}
          defaultValue={typed.endDate}
        />
      </div>
      <TextField
        name="handover"
        label="Collection or delivery (optional)"
        optional
        placeholder="Such as: collection in Cape Town"
        maxLength={auctionLimits.handover}
        defaultValue={typed.handover}
      />
    </>
  );
}
