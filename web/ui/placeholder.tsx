import { Page } from "./page.tsx";
import { RouteLine } from "./route-line.tsx";

/** A screen whose content opens with a later release: its title and one sentence that says what will be here. */
export function Placeholder({ title, sentence }: { title: string; sentence: string }) {
  return (
    <Page title={title} lead={sentence}>
      <RouteLine />
    </Page>
  );
}
