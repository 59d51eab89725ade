import { useQuery } from "@tanstack/react-query";
import { data, isRouteErrorResponse, redirect, type ShouldRevalidateFunction } from "react-router";
import type { ProgrammePage } from "#contract/programmes.ts";
import { calendarDate } from "#domain/calendar-date.ts";
import { friendlyError, hasCode } from "#domain/friendly-error.ts";
import { studyFieldLabels, studyModeLabels, teachingLanguageLabels } from "#domain/programme.ts";
import { durationWords, placeWords, uncheckedWords } from "#domain/programme-words.ts";
import { visitableUrl } from "#domain/shortlist.ts";
import { programmePath } from "#protocol/addresses.ts";
import { formatDay } from "../../lib/format-date.ts";
import { useRenderedAt } from "../../lib/hydration.ts";
import { useLive } from "../../lib/live.ts";
import { pageMeta } from "../../lib/page-meta.ts";
import { useLoaded } from "../../lib/use-loaded.ts";
import { useTitle } from "../../lib/use-title.ts";
import { useIsStudent } from "../../lib/viewer.ts";
import { onServer } from "../../load-context.ts";
import { LinkButton } from "../../ui/button.tsx";
import { Notice } from "../../ui/notice.tsx";
import { Page } from "../../ui/page.tsx";
import { Retry } from "../../ui/retry.tsx";
import { Skeleton, Waiting } from "../../ui/skeleton.tsx";
import { StateBadge } from "../../ui/state-badge.tsx";
import { TextLink } from "../../ui/text-link.tsx";
import { CrashScreen } from "../crash.tsx";
import type { Route } from "./+types/programme.ts";
import { Actions } from "./programme/actions.tsx";
import { Fees } from "./programme/fees.tsx";
import { Intakes } from "./programme/intakes.tsx";
import { programmeMeta } from "./programme/programme-meta.ts";
import { Requirements } from "./programme/requirements.tsx";
import { useStart } from "./programme/start.ts";
import classes from "./programme.module.css";
import { programmeQuery } from "./programme-query.ts";
import { isSlug } from "./slugs.ts";

export async function loader({ context, params: { slug } }: Route.LoaderArgs) {
  const missing = () => data(null, { status: 404 });
  if (!isSlug(slug)) throw missing();
  // If this fails, the browser queries again, and shows the error.
  const programme = await context
    .get(onServer)
    .rpc.programmes.read({ slug })
    .catch((error: unknown) => {
      if (hasCode(error, "not-found")) throw missing();
      return null;
    });
  // The programme was joined into another one, to which its address leads since then.
  if (programme && programme.slug !== slug) throw redirect(programmePath(programme.slug), 301);
  return programme;
}
/** The loader needn't run again for the same programme, because the page refetches automatically. */
export const shouldRevalidate: ShouldRevalidateFunction = ({ currentParams, nextParams }) =>
  currentParams["slug"] !== nextParams["slug"];

const notFoundTitle = "Programme not found";
const isMissing = (error: unknown): boolean => isRouteErrorResponse(error) && error.status === 404;

export const meta = ({ loaderData, error }: Route.MetaArgs) =>
  loaderData ? programmeMeta(loaderData) : pageMeta(isMissing(error) ? notFoundTitle : "Programme");

export const ErrorBoundary = ({ error }: Route.ErrorBoundaryProps) =>
  isMissing(error) ? <NoProgramme /> : <CrashScreen error={error} />;

/** One programme of the catalogue; public. */
export default function Programme({ params: { slug }, loaderData }: Route.ComponentProps) {
  useLoaded(programmeQuery(slug).queryKey, loaderData);
  const { data: programme, error, refetch } = useQuery(programmeQuery(slug));
  if (programme) return <ProgrammeFacts key={programme.id} programme={programme} />;
  if (error && friendlyError(error).code === "not-found") return <NoProgramme />;
  if (error)
    return (
      <Page>
        <Retry error={error} onRetry={() => void refetch()} />
      </Page>
    );
  return (
    <Page>
      <Waiting label="Loading the programme">
        <Skeleton h={44} w="min(24rem, 80%)" mb={12} />
        <Skeleton h={20} w="min(14rem, 60%)" mb={32} />
        <Skeleton h={360} />
      </Waiting>
    </Page>
  );
}

function ProgrammeFacts({ programme }: { programme: ProgrammePage }) {
  const { title, institution, removed, sample } = programme;
  const start = useStart(programme);
  useTitle(`${title}, ${institution.name}`);
  useLive(useIsStudent() ? "dashboard" : null);
  return (
    <Page
      title={title}
      lead={
        <>
          {institution.name} · {placeWords(institution)}
          {sample && (
            <>
              {" "}
              <StateBadge tone="ended">Sample</StateBadge>
            </>
          )}
        </>
      }
    >
      {removed && (
        <div className={classes.removed}>
          <Notice>
            This programme is no longer in the catalogue. This page has what was last known of it.
          </Notice>
        </div>
      )}
      <div className={classes.columns}>
        <div className={classes.side}>
          <Actions programme={programme} start={start} />
        </div>
        <div className={classes.rest}>
          <Facts programme={programme} />
          <Requirements programme={programme} start={start} />
          <Intakes programme={programme} />
          <Fees programme={programme} />
          <p className={classes.more}>
            <TextLink to="/programmes">All programmes</TextLink>
          </p>
        </div>
      </div>
    </Page>
  );
}

function Facts({ programme }: { programme: ProgrammePage }) {
  const { level, award, field, months, mode, language, url, checkedOn, source, institution } = programme;
  const today = calendarDate(new Date(useRenderedAt()));
  const unchecked = uncheckedWords(checkedOn, today);
  // Checks the addresses again, because the page decides what it links to.
  const [page, website] = [visitableUrl(url), visitableUrl(institution.website)];
  const facts = [
    ["Level", level],
    ["Award", award],
    ["Field", studyFieldLabels[field]],
    ["Takes", durationWords(months)],
    ["Mode", studyModeLabels[mode]],
    ["Language", teachingLanguageLabels[language]],
  ] as const;
  return (
    <>
      <dl className={classes.facts}>
        {facts.map(
          ([label, value]) =>
            value !== "" && (
              <div key={label}>
                <dt>{label}</dt>
                <dd>{value}</dd>
              </div>
            ),
        )}
      </dl>
      <p className={classes.checked}>
        Checked on {formatDay(checkedOn)} from {source}.{" "}
        {unchecked && <StateBadge tone="asks">{unchecked}</StateBadge>}{" "}
        {page && (
          <TextLink to={page} target="_blank" rel="noopener noreferrer">
            The programme's own page
          </TextLink>
        )}
        {website && website !== page && (
          <>
            {" · "}
            <TextLink to={website} target="_blank" rel="noopener noreferrer">
              {institution.name}
            </TextLink>
          </>
        )}
      </p>
    </>
  );
}

/** The page of a programme that never existed. */
function NoProgramme() {
  useTitle(notFoundTitle);
  return (
    <Page
      title={notFoundTitle}
      lead="The link may be incomplete, or the programme was never in the catalogue."
    >
      <LinkButton primary to="/programmes">
        See all programmes
      </LinkButton>
    </Page>
  );
}
