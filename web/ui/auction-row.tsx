import { IconPhoto } from "@tabler/icons-react";
import type { ReactNode } from "react";
import { Link } from "react-router";
import type { Picture } from "#contract/listed-products.ts";
import { passFocusOn } from "../lib/focus.ts";
import classes from "./auction-row.module.css";
import { ProductPicture } from "./product-picture.tsx";
import { Skeleton, Waiting } from "./skeleton.tsx";

/** A list of auctions, in My bids and among the viewer's own products. */
export const AuctionList = ({ children }: { children: ReactNode }) => (
  <ul className={classes.list}>{children}</ul>
);

/** Reserves the space of the first rows. */
export const AuctionListSkeleton = ({ label }: { label: string }) => (
  <Waiting label={label}>
    <Skeleton h={92} />
    <Skeleton h={92} />
    <Skeleton h={92} />
  </Waiting>
);

/** The id of the element with a row's name. */
export const auctionNameId = (productId: string): string => `auction-${productId}`;

type AuctionRowProps = {
  productId: string;
  productName: string;
  picture: Picture | null;
  /** The address of its page; null if it no longer has one. */
  to: string | null;
  figures: readonly string[];
  note: ReactNode;
  /** The heading level of its name. */
  heading: "h2" | "h3";
  /** Its state and actions. */
  children: ReactNode;
};

/** One auction of a list. */
export function AuctionRow({ productId, productName, picture, to, children, ...row }: AuctionRowProps) {
  const nameId = auctionNameId(productId);
  const Heading = row.heading;
  return (
    <li ref={passFocusOn} className={classes.row} aria-labelledby={nameId}>
      <div className={classes.picture}>
        {picture ? (
          <ProductPicture picture={picture} sizes={[["", "6rem"]]} alt="" />
        ) : (
          <IconPhoto size={28} stroke={1} aria-hidden />
        )}
      </div>
      <div className={classes.what}>
        <Heading className={classes.name} id={nameId}>
          {to === null ? productName : <Link to={to}>{productName}</Link>}
        </Heading>
        <p className={classes.figures}>
          {row.figures.map((figure) => (
            <span key={figure}>{figure}</span>
          ))}
        </p>
        <p className={classes.note}>{row.note}</p>
      </div>
      <div className={classes.action}>{children}</div>
    </li>
  );
}
