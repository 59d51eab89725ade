import { escapeHtml } from "./escape.ts";

type Link = { label: string; link: string };

/** Our own colours, dark ones if the mail program asks for them. The mail loads nothing else. */
const styles = `
:root { color-scheme: light dark; }
body { margin: 0; background: #fbf9f5; color: #14213d; font: 16px/1.55 system-ui, -apple-system, "Segoe UI", Roboto, Arial, sans-serif; }
.page { max-width: 560px; margin: 0 auto; padding: 24px 16px 32px; }
.brand { margin: 0 0 16px; color: #0e5a4e; font-weight: 700; font-size: 20px; }
.card { padding: 24px; border: 1px solid #e6e1d6; border-radius: 12px; background: #ffffff; }
p { margin: 0 0 16px; overflow-wrap: anywhere; }
.words { white-space: pre-line; }
.button { display: inline-block; padding: 12px 20px; border-radius: 10px; background: #0e5a4e; color: #ffffff; font-weight: 600; text-decoration: none; }
.small { margin: 0; color: #566078; font-size: 14px; }
.small a { color: inherit; }
.foot { margin: 16px 8px 0; }
@media (prefers-color-scheme: dark) {
  body { background: #0d1526; color: #ece8df; }
  .brand { color: #7fc0b1; }
  .card { border-color: #25324e; background: #141e34; }
  .button { background: #7fc0b1; color: #0d1526; }
  .small { color: #a7aebf; }
}`;

const anchor = ({ label, link }: Link, attributes = "") =>
  `<a${attributes} href="${escapeHtml(link)}">${escapeHtml(label)}</a>`;

/** Returns a mail's HTML: its paragraphs, its button with the address below, and a footer. */
export function mailHtml(
  subject: string,
  paragraphs: readonly string[],
  action: Link | undefined,
  choices: Link | undefined,
): string {
  const words = paragraphs.map((paragraph) => `<p class="words">${escapeHtml(paragraph)}</p>`);
  const button = action
    ? [
        `<p>${anchor(action, ' class="button"')}</p>`,
        `<p class="small">Or open this link: ${anchor({ ...action, label: action.link })}</p>`,
      ]
    : [];
  const foot = choices ? `<p class="small foot">${anchor(choices)}</p>` : "";
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${escapeHtml(subject)}</title>
<style>${styles}</style>
</head>
<body>
<div class="page">
<p class="brand">Wayfare</p>
<div class="card">
${[...words, ...button].join("\n")}
</div>
${foot}
</div>
</body>
</html>
`;
}
