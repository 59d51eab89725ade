import { grades } from "#domain/auction.ts";
import { gradePromises, gradingAdvice, gradingLead } from "../../content/grades.ts";
import { publicMeta } from "../../lib/page-meta.ts";
import { LinkButton } from "../../ui/button.tsx";
import { Page } from "../../ui/page.tsx";
import classes from "./grading-guide.module.css";

const title = "Grading guide";

export const meta = () => publicMeta("/grading-guide", title, gradingLead);

/** The five grades with their promises. */
export default function GradingGuide() {
  return (
    <Page title={title} lead={gradingLead}>
      <table className={classes.table}>
        <thead>
          <tr>
            <th scope="col">Grade</th>
            <th scope="col">Appearance</th>
            <th scope="col">Function</th>
            <th scope="col">What comes with it</th>
          </tr>
        </thead>
        <tbody>
          {grades.map((grade) => (
            <tr key={grade}>
              <th scope="row">{grade}</th>
              <td data-label="Appearance">{gradePromises[grade].looks}</td>
              <td data-label="Function">{gradePromises[grade].works}</td>
              <td data-label="What comes with it">{gradePromises[grade].comesWith}</td>
            </tr>
          ))}
        </tbody>
      </table>
      <h2 className={classes.title}>For sellers</h2>
      <ul className={classes.advice}>
        {gradingAdvice.map((sentence) => (
          <li key={sentence}>{sentence}</li>
        ))}
      </ul>
      <LinkButton to="/auctions">See open auctions</LinkButton>
    </Page>
  );
}
