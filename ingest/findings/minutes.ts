/** Tells the text of a meeting from what a web server sends in its place. Pure. */

/** Pages of servers and of what stands before them: what they say at their beginning, or in words that no minutes hold. */
const PAGES: readonly RegExp[] = [
  /\b(?:40[0134589]|410|429|50[0-4]|52[0-7])\b[ :.,–—-]{0,9}(?:error|not found|forbidden|unauthorized|bad (?:request|gateway)|gone|too many requests|internal server|service (?:temporarily )?unavailable|gateway time-?out|access denied|page)/,
  /\b(?:page|file|document|resource|url|content)\b[^.]{0,60}\b(?:not found|cannot be found|could not be found|can(?:no|')t be found|does(?: not|n't) exist|no longer (?:exists|available)|has been (?:moved|removed|deleted))/,
  /\b(?:server error|runtime error|application error|object reference not set|stack trace|service (?:temporarily )?unavailable|bad gateway|gateway time-?out|request (?:rejected|blocked|timed out)|nosuchkey|accessdenied)\b/,
  /\b(?:access (?:is |to this (?:page|site|resource) (?:is|has been) )?denied|you (?:do not|don't) have (?:permission|access|authorization)|(?:403 )?forbidden)\b/,
  /\b(?:enable (?:javascript|cookies)|javascript (?:is|must be|has been) (?:required|enabled|disabled)|requires javascript|browser (?:is not supported|is out of date|does not support))\b/,
  /\b(?:just a moment|checking (?:your browser|if the site connection)|attention required|verify (?:that )?you are (?:a )?human|not a robot|captcha|cloudflare|ray id|unusual traffic)\b/,
  /\b(?:we (?:and our partners )?use cookies|uses cookies|cookie (?:policy|settings|preferences|consent)|accept (?:all )?cookies|accept all|manage (?:consent|preferences)|your privacy choices|consent to the use)\b/,
  /\b(?:(?:sign|log)[ -]?in(?:to)? (?:to(?! (?:(?:the|our|this|a) )?(?:\w+ )?(?:meeting|hearing|zoom|webex))|with|below|is required|required)|(?:please|you must) (?:sign|log) ?in|(?:user ?name|e-?mail(?: address)?) ?:? ?(?:\* ?)?password|forgot(?:ten)? (?:your )?password|session (?:has )?(?:expired|timed out)|create an account|single sign-on)\b/,
  /^(?:(?:error )?[45]\d\d|null|none|undefined|nan|n\/a|true|false|\[object object\]|(?:log|sign)[ -]?in|loading|redirecting|please wait)[ .…!]*$|^(?:%pdf-|\{ ?"(?:error|message)")/,
  /^(?!.*(?:zoom|webex|teams|meeting id|reuni[oó]n)).*(contraseña|mot de passe|passwort|\bsenha\b|password dimenticata|пароль|密[码碼]|パスワード|비밀번호|mật khẩu|كلمة المرور)/,
  /(?:utilizamos|usamos|utilisons|verwenden|используем|使用) ?(?:de los |des |les )?cookies?|(?:aceptar|aceitar|accepter|akzeptieren) .{0,20}cookies/,
  /(?:página|archivo|documento|page|fichier|seite) (?:no (?:encontrad|existe|disponible)|não encontrad|introuvable|nicht gefunden)|no se (?:encontró|ha encontrado|pudo encontrar) (?:la|el) (?:página|archivo|documento)|页面不存在|страница не найдена/,
  /(?:acceso denegado|accès refusé|zugriff verweigert|acesso negado|servicio (?:temporalmente )?no disponible|(?:habilit|activ)[ea] (?:javascript|las cookies)|error (?:interno )?del servidor)/,
  /\b(?:under (?:scheduled )?maintenance|temporarily (?:down|offline|unavailable)|be back (?:soon|shortly)|site is (?:down|offline)|domain (?:is for sale|has expired)|account (?:has been )?suspended)\b/,
];

/** Words of meetings. An error page of a city's site may have some of them in its menu. */
const MEETING =
  /\b(?:mov(?:ed|ant)|second(?:ed|er)|ayes?|nays?|motion|carried|adjourn\w*|roll call|quorum|call(?:ed)? to order|applicants?|petitioners?|public hearing|rezon\w*|variance|plat|resol(?:ved|ution)|whereas|acres?|parcels?|staff report|approv(?:e|ed|al)|den(?:y|ied|ial)|conditional use|site plan|subdivision)\b/g;

/** A text that is longer is none of these pages; markup, which is left aside, may make it longer still. */
const PAGE_CHARACTERS = 6000;
const MARKUP_FACTOR = 4;
/** Different words of meetings from which on a text is one. */
const MEETING_WORDS = 4;

const TAGS = /<[^<>]*>|&nbsp;/g;

/** A text in small letters without markup, scripts and styles. */
const removeMarkup = (lower: string) =>
  lower
    .split(/<\/(?:script|style)>/)
    .map((part) => part.split(/<(?:script|style)\b/, 1)[0])
    .join(' ')
    .replaceAll(TAGS, ' ');

/** What a text is if it is none of a meeting, in words; undefined if it may be one. */
export function findPageKind(text: string): string | undefined {
  const isMarkup = text.includes('<');
  if (text.length > PAGE_CHARACTERS * (isMarkup ? MARKUP_FACTOR : 1)) return undefined;
  const lower = text.toLowerCase();
  const bare = isMarkup ? removeMarkup(lower) : lower;
  if (!/[\p{L}\p{N}]/u.test(bare)) return 'it is empty';
  if (bare.length > PAGE_CHARACTERS || hasMeetingWords(bare)) return undefined;
  const words = bare.replaceAll(/\s+/g, ' ').replaceAll('’', "'").trim();
  const page = PAGES.map((pattern) => pattern.exec(words)?.at(-1)).find((found) => found !== undefined);
  return page && `it says '${page}'`;
}

function hasMeetingWords(text: string): boolean {
  const found = new Set<string>();
  for (const [word] of text.matchAll(MEETING)) if (found.add(word).size >= MEETING_WORDS) return true;
  return false;
}
