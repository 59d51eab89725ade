import { programmeLimits } from "#domain/programme.ts";
import { Button, LinkButton } from "../../../ui/button.tsx";
import type { ViewProps } from "../find/programme-view.ts";
import { comparePath } from "../paths.ts";
import { slugsIn } from "../slugs.ts";
import classes from "./compare-bar.module.css";

/** Counts the programmes chosen for a comparison, at the bottom of the window. They are kept in the address. */
export function CompareBar({ view, onChange }: ViewProps) {
  const slugs = slugsIn(view.compare);
  if (slugs.length === 0) return null;
  return (
    <section className={classes.bar} aria-label="Comparison">
      <p className={classes.words}>
        {slugs.length} of {programmeLimits.compared} to compare
      </p>
      <Button variant="subtle" onClick={() => onChange({ compare: null })}>
        Clear
      </Button>
      <LinkButton primary size="sm" to={comparePath(slugs, view.intake)}>
        Compare
      </LinkButton>
    </section>
  );
}
