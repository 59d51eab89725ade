import { keysOf } from "#domain/keys-of.ts";
import { notificationKinds, notificationTable, notificationText } from "#domain/notification.ts";
import { compose, greeting, type Mail } from "#server/platform/mail.ts";

const name = "Wolfeschlegelsteinhausenbergerdorffwelchevoralternwarengewissenhaft Featherstonehaugh";
/** A value for each thing that notifications are about, as awkward as people may make it. */
const values: Readonly<Record<string, string>> = {
  student: name,
  agent: name,
  agency: `Agency of ${name}`,
  person: name,
  students: "12 students",
  sharing: "stopped",
  outcome: "stays",
  side: "staff",
  number: "7",
  state: "conditionalOffer",
  from: "sentToUniversity",
  program: `MSc${"x".repeat(117)}`,
  application: `MSc${"x".repeat(117)}, Trinity College Dublin, the University of Dublin, Spring Intake 2027`,
  university: "Trinity College Dublin, the University of Dublin",
  intake: "Spring Intake (January)",
  year: "2027",
  document: "Recommendation 1",
  request: "Bank statement of the last three months, stamped by the bank",
  task: "Book the English test at a centre that sends its results by post",
  thing: "Reply to the offer: MSc Data Science, University of Leeds, Spring Intake 2027",
  when: "in 3 days",
  due: "17:00 on 12 August in London; 21:30 your time",
  replyBy: "17:00 on 12 August in London",
  day: "12 August 2027",
  price: "R 1 250 000.00",
  product: "A".repeat(120),
  webhook: `https://receiver.example.org/${"wayfare".repeat(20)}`,
};
const longText = `Please look at https://courses.example.org/${"path/".repeat(30)} and tell us.\nThank you!`;

/** An email of every kind of notification, as long as its values let it be. */
export const sampleMails: readonly { kind: string; mail: Mail }[] = notificationKinds
  .filter((kind) => notificationTable[kind].mail !== "never")
  .map((kind) => {
    const { title, button, about } = notificationTable[kind];
    const texts = Object.fromEntries(keysOf(about).map((each) => [each, values[each] ?? longText]));
    const mail = compose({
      to: "ada@example.org",
      subject: title(texts),
      paragraphs: [greeting("Ada"), notificationText(kind, texts)],
      action: { label: button, link: "https://wayfare.example/application/7d7c1c0e-4f0a-4b7e-9d3e" },
      choices: {
        link: "https://wayfare.example/notifications#mails",
        unsubscribe: "https://wayfare.example/unsubscribe",
      },
    });
    return { kind, mail };
  });
