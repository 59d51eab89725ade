import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useSearchParams } from "react-router";
import type { ProgrammePage } from "#contract/programmes.ts";
import { friendlyError } from "#domain/friendly-error.ts";
import { pageMeta } from "../../lib/page-meta.ts";
import { Notice } from "../../ui/notice.tsx";
import { Page } from "../../ui/page.tsx";
import { Retry } from "../../ui/retry.tsx";
import { Skeleton } from "../../ui/skeleton.tsx";
import { programmeQuery } from "../programmes/programme-query.ts";
import { Applications } from "./applications.tsx";
import { fillFrom } from "./origin.ts";

export const meta = () => pageMeta("Your Applications");

/** Lets a student apply, and follow submitted applications. */
export default function Application() {
  const [search] = useSearchParams();
  const slug = search.get("programme");
  return (
    <Page narrow title="Your Applications">
      {slug ? (
        // The key makes another programme or start fill the form again.
        <FromCatalogue key={search.toString()} slug={slug} intakeId={search.get("intake")} />
      ) : (
        <Applications at={search.has("new") ? "form" : "list"} />
      )}
    </Page>
  );
}

/** Opens the form filled in from a programme of the catalogue. */
function FromCatalogue({ slug, intakeId }: { slug: string; intakeId: string | null }) {
  const { data, error, refetch } = useQuery(programmeQuery(slug));
  if (error && friendlyError(error).code === "not-found")
    return (
      <>
        <Notice>There is no such programme in the catalogue. You can fill in the form yourself.</Notice>
        <Applications at="form" />
      </>
    );
  if (!data && error) return <Retry error={error} onRetry={() => void refetch()} />;
  if (!data) return <Skeleton h={320} label="Loading the programme" />;
  return <Filled programme={data} intakeId={intakeId} />;
}

function Filled({ programme, intakeId }: { programme: ProgrammePage; intakeId: string | null }) {
  // The form reads its draft on its first render, so the draft is filled before that.
  useState(() => fillFrom(programme, intakeId));
  return <Applications at="form" />;
}
