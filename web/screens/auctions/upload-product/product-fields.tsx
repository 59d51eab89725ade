import { useRef, useState } from "react";
import {
  auctionLimits,
  categories,
  categoryLabels,
  grades,
  isCategory,
  subcategoriesOf,
} from "#domain/auction.ts";
import { ownZone } from "../../../lib/format-date.ts";
import { serverNow } from "../../../lib/server-clock.ts";
import { Button } from "../../../ui/button.tsx";
import { SelectField, TextAreaField, TextField } from "../../../ui/form/fields.tsx";
import { useForm } from "../../../ui/form/form.tsx";
import { TextLink } from "../../../ui/text-link.tsx";
import { MoneyField } from "../money-field.tsx";
import { inDays, localInput } from "./local-date.ts";
import classes from "./upload-form.module.css";

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

/** The fields that describe the item: name, description, category and grade. */
export function ProductFields() {
  return (
    <>
      <TextField name="productName" label="Product name" maxLength={auctionLimits.productName} />
      <TextAreaField
        name="description"
        label="Description"
        description="What it is, what comes with it, and any signs of wear. Buyers can't see it in person."
        rows={5}
        maxLength={auctionLimits.description}
      />
      <Kind />
      <div className={classes.pair}>
        <SelectField
          name="grade"
          label="Grade"
          descriptionBelow
          description={
            <span className={classes.tall}>
              <TextLink to="/grading-guide">What each grade means</TextLink>
            </span>
          }
          data={choices("Choose a grade", grades.map(plain))}
        />
      </div>
    </>
  );
}

/** The category and subcategory. Changing the category resets the subcategory. */
function Kind() {
  const { draft } = useForm();
  const [category, setCategory] = useState(draft["category"] ?? "");
  const [subcategory, setSubcategory] = useState(draft["subcategory"] ?? "");
  const subcategories = isCategory(category) ? subcategoriesOf[category] : [];
  return (
    <div className={classes.pair}>
      <SelectField
        name="category"
        label="Category"
        data={categoryChoices}
        value={category}
        onChange={({ currentTarget }) => {
          setCategory(currentTarget.value);
          setSubcategory("");
        }}
      />
      <SelectField
        name="subcategory"
        label="Subcategory"
        data={choices(
          subcategories.length > 0 ? "Choose a subcategory" : "Choose a category first",
          subcategories.map(plain),
        )}
        value={subcategory}
        onChange={({ currentTarget }) => setSubcategory(currentTarget.value)}
      />
    </div>
  );
}

/** The fields of the sale: starting bid, end and handover. The end is in the viewer's time zone, which is named. */
export function SaleFields() {
  const [now] = useState(serverNow);
  const { draft } = useForm();
  const [startingBid, setStartingBid] = useState(draft["startingBid"] ?? "");
  const [courier, setCourier] = useState(draft["courier"] ?? "");
  const end = useRef<HTMLInputElement>(null);
  function endIn(days: number) {
    if (!end.current) return;
    end.current.value = localInput(inDays(new Date(serverNow()), days));
    // Makes the form keep the value as if it were typed.
    end.current.dispatchEvent(new Event("input", { bubbles: true }));
  }
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
        <div>
          <TextField
            ref={end}
            name="endDate"
            type="datetime-local"
            label="End date"
            descriptionBelow
            description={`10 minutes to 90 days from now, in your time zone (${ownZone()})`}
            min={localInput(new Date(now + auctionLimits.shortest))}
            max={localInput(new Date(now + auctionLimits.longest))}
          />
          <Ends onChoose={endIn} />
        </div>
      </div>
      <div className={classes.pair}>
        <TextField
          name="collectionPlace"
          label="Collection in (optional)"
          optional
          placeholder="Such as: Cape Town"
          maxLength={auctionLimits.collectionPlace}
        />
        <MoneyField
          name="courier"
          label="Courier (optional)"
          optional
          hint="What sending it costs, in rand; 0 is free"
          value={courier}
          onType={setCourier}
        />
      </div>
      <SelectField
        name="softClose"
        label="Last-second bids"
        descriptionBelow
        description="If bids extend it, one in the last 2 minutes moves the end to 2 minutes after it, at most an hour beyond your end date."
        data={[
          { value: "on", label: "Extend the auction" },
          { value: "off", label: "End at the end date" },
        ]}
      />
      <TextField
        name="handover"
        label="Collection or delivery (optional)"
        optional
        placeholder="Such as: collection in Cape Town"
        maxLength={auctionLimits.handover}
      />
    </>
  );
}

/** Lengths of an auction in days that have a button. */
const lengths = [1, 3, 7] as const;

/** Buttons that choose an end some days from now, at this time of day. */
function Ends({ onChoose }: { onChoose: (days: number) => void }) {
  return (
    <div className={classes.ends}>
      {lengths.map((days) => (
        <Button key={days} variant="default" size="compact-sm" onClick={() => onChoose(days)}>
          {days === 1 ? "1 day" : `${days} days`}
        </Button>
      ))}
    </div>
  );
}
