import { IconPhoto } from "@tabler/icons-react";
import { useState } from "react";
import type { ProductState } from "#contract/auctions.ts";
import { auctionRules, categoryLabels, isCategory } from "#domain/auction.ts";
import { formatMoney, parseAmount } from "#domain/money.ts";
import { parseCourier } from "#domain/product-check.ts";
import { useFormats } from "../../../lib/format-date.ts";
import { serverNow } from "../../../lib/server-clock.ts";
import { Button } from "../../../ui/button.tsx";
import { Dialog } from "../../../ui/dialog.tsx";
import { DeliveryFacts, Details } from "../product/details.tsx";
import galleryClasses from "../product/gallery.module.css";
import pageClasses from "../product.module.css";
import { type ItemTexts, itemFields } from "./item-form.ts";
import { localDate } from "./local-date.ts";
import type { ChosenPicture } from "./picture-queue.ts";
import classes from "./preview.module.css";

/** Reads the current texts of the form around a button. */
export function textsAround(button: HTMLButtonElement): ItemTexts {
  const data = new FormData(button.form ?? undefined);
  const textOf = (field: string): string => {
    const value = data.get(field);
    return typeof value === "string" ? value : "";
  };
  const texts = Object.fromEntries(itemFields.map((field) => [field, textOf(field)]));
  return texts as ItemTexts;
}

type PreviewProps = {
  pictures: readonly ChosenPicture[];
  /** Facts of the listing; by default, those of a product listed now. */
  listing?: Pick<ProductState, "createdAt" | "rules">;
};

/** Shows the product's page as the form describes it, before anything is published. */
export function Preview({ pictures, listing }: PreviewProps) {
  const [texts, setTexts] = useState<ItemTexts | null>(null);
  const close = () => setTexts(null);
  return (
    <>
      <Button
        variant="default"
        size="md"
        onClick={({ currentTarget }) => setTexts(textsAround(currentTarget))}
      >
        Preview
      </Button>
      <Dialog wide opened={texts !== null} onClose={close} title="Preview">
        {texts && (
          <PreviewedPage
            texts={texts}
            pictures={pictures}
            listing={listing ?? { createdAt: serverNow(), rules: auctionRules }}
          />
        )}
      </Dialog>
    </>
  );
}

type PreviewedPageProps = Required<PreviewProps> & { texts: ItemTexts };

function PreviewedPage({ texts, pictures, listing }: PreviewedPageProps) {
  const { formatMomentInZone } = useFormats();
  const amount = parseAmount(texts.startingBid);
  const startingBid = amount.kind === "amount" ? amount.cents : null;
  const courier = parseCourier(texts.courier);
  const endDate = localDate(texts.endDate);
  const { category, subcategory, grade } = texts;
  const kind = [isCategory(category) ? categoryLabels[category] : "", subcategory, grade];
  const delivery = {
    handover: texts.handover.trim(),
    collectionPlace: texts.collectionPlace.trim(),
    courier: courier.kind === "courier" ? courier.courier : null,
  };
  return (
    <div className={classes.page}>
      <p className={classes.name}>{texts.productName || "Without a name"}</p>
      <p className={classes.kind}>{kind.filter((each) => each !== "").join(" · ")}</p>
      <Pictures name={texts.productName} pictures={pictures} />
      <dl className={pageClasses.facts}>
        <dt>Starting bid</dt>
        <dd className="tabular">{startingBid === null ? "None yet" : formatMoney(startingBid)}</dd>
        <dt>Ends</dt>
        <dd>{endDate ? formatMomentInZone(endDate) : "No end yet"}</dd>
      </dl>
      <dl className={classes.delivery}>
        <DeliveryFacts product={delivery} />
      </dl>
      <Details
        product={{
          description: texts.description,
          additions: [],
          category,
          subcategory,
          grade,
          startingBid,
          createdAt: listing.createdAt,
          rules: listing.rules,
          formerId: null,
        }}
      />
    </div>
  );
}

function Pictures({ name, pictures }: { name: string; pictures: readonly ChosenPicture[] }) {
  const [first, ...others] = pictures;
  return (
    <div className={galleryClasses.gallery}>
      <div className={galleryClasses.stage}>
        {first ? (
          <img src={first.preview} alt={name} className={classes.picture} />
        ) : (
          <IconPhoto size={64} stroke={1} className={galleryClasses.none} aria-label="No picture" />
        )}
      </div>
      {others.length > 0 && (
        <ul className={galleryClasses.thumbnails} aria-label="Other pictures">
          {others.map(({ id, preview }) => (
            <li key={id} className={galleryClasses.thumbnail}>
              <img src={preview} alt="" className={classes.picture} />
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}
