import { Page } from "./page.tsx";
import { Skeleton } from "./skeleton.tsx";
import { Waiting } from "./waiting.tsx";

/** Holds a screen's place while it is not known who is looking, or its code is on the way. */
export function ScreenSkeleton() {
  return (
    <Page>
      <Waiting gap="lg" label="Loading">
        <Skeleton h={40} w="min(20rem, 70%)" />
        <Skeleton h={18} w="min(30rem, 90%)" />
        <Skeleton h={220} />
      </Waiting>
    </Page>
  );
}
