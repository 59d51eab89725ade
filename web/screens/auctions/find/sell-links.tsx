import { useVisit } from "../../../lib/viewer.ts";
import { LinkButton } from "../../../ui/link-button.tsx";
import classes from "./filters.module.css";

/** The way to selling, for anyone signed in; whoever is not is led to the login. */
export function SellLinks() {
  const visit = useVisit();
  const isMember =
    visit.state === "known" ? visit.viewer !== null : visit.state === "unknown" && visit.hint !== null;
  return (
    <div className={classes.sell}>
      <LinkButton primary to="/upload-product">
        Sell an item
      </LinkButton>
      {isMember && <LinkButton to="/product-list">My products</LinkButton>}
    </div>
  );
}
