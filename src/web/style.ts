/** The stylesheet of every page, embedded in it to save a request. */
export const STYLE = `
:root{color-scheme:light dark;--paper:#fdfdfb;--ink:#1d2630;--soft:#5a6775;--line:#dfe3e6;--tint:#f2f4f3;--link:#0b5c7d;--mark:#fff4cf;--get:#1c6b3c;--write:#8a4b08;--gone:#a02c2c;--edge:#8a949d}
@media (prefers-color-scheme:dark){:root{--paper:#14181c;--ink:#e3e7ea;--soft:#9aa7b3;--line:#2d353c;--tint:#1c2227;--link:#7cc4e4;--mark:#3d3617;--get:#7fd19d;--write:#e6b273;--gone:#f0938c;--edge:#6d7983}}
*{box-sizing:border-box}
html{scroll-padding-top:1rem;-webkit-text-size-adjust:100%}
body{margin:0;background:var(--paper);color:var(--ink);font:1rem/1.6 system-ui,-apple-system,"Segoe UI",sans-serif;overflow-wrap:break-word}
a{color:var(--link);text-underline-offset:.15em;text-decoration-thickness:.06em}
a:hover{text-decoration-thickness:.12em}
:focus-visible{outline:3px solid var(--link);outline-offset:2px;border-radius:2px}
.skip{position:absolute;left:-999rem;background:var(--paper);padding:.5rem 1rem;z-index:2}
.skip:focus{left:.5rem;top:.5rem}
.frame{display:grid;grid-template-columns:16rem minmax(0,1fr);max-width:82rem;margin:0 auto}
.side{grid-column:1;grid-row:1;position:sticky;top:0;align-self:start;height:100vh;overflow-y:auto;padding:1.75rem 1.25rem 3rem;border-right:1px solid var(--line);font-size:.9rem;line-height:1.45}
.home{display:block;font-weight:650;color:var(--ink);text-decoration:none;margin-bottom:1.1rem}
.top{display:none}
[hidden]{display:none!important}
.bar{display:flex;align-items:center;gap:1rem;max-width:82rem;margin:0 auto;padding:.6rem 1.25rem;border-bottom:1px solid var(--line);font-size:.92rem}
.bar .home{margin:0 auto 0 0}
.bar .to-contents{display:none}
.bar+.frame .side{top:0;padding-top:1rem}
input,textarea,button{font:inherit;font-size:.92rem;color:inherit;border:1px solid var(--edge);border-radius:6px;padding:.42rem .7rem;background:var(--paper)}
input,textarea{width:100%}
textarea,#try-url{font:.85rem/1.5 ui-monospace,SFMono-Regular,Menlo,Consolas,monospace;resize:vertical}
label{display:block;font-size:.86rem;color:var(--soft);margin:.6rem 0 .25rem}
button{cursor:pointer;background:var(--tint)}
button:hover{border-color:var(--link)}
button:disabled{cursor:wait;opacity:.6}
.primary,.primary:hover{background:var(--link);color:var(--paper);border-color:var(--link);font-weight:600}
.search{position:relative;width:min(24rem,44vw)}
#found{position:absolute;z-index:3;top:100%;right:0;left:0;margin:.3rem 0 0;padding:.35rem;list-style:none;background:var(--paper);border:1px solid var(--line);border-radius:8px;box-shadow:0 8px 24px #0003}
#found li{margin:0;padding:.15rem .4rem}
#found a{display:block;padding:.2rem .4rem;margin:0 -.4rem;border-radius:4px;text-decoration:none;color:var(--ink);overflow-wrap:anywhere}
#found a:hover,#found a:focus{background:var(--tint)}
.reader{position:relative;margin:0}
.reader summary{cursor:pointer;list-style:none;border:1px solid var(--edge);border-radius:6px;padding:.36rem .7rem;white-space:nowrap}
.reader summary::-webkit-details-marker{display:none}
.reader .card{position:absolute;z-index:3;right:0;top:100%;width:min(21rem,88vw);margin-top:.3rem;padding:.6rem 1rem 1rem;background:var(--paper);border:1px solid var(--line);border-radius:8px;box-shadow:0 8px 24px #0003}
.copied{position:relative}
.copied pre{padding-right:4.6rem}
.copy{position:absolute;top:.45rem;right:.45rem;padding:.12rem .55rem;font-size:.78rem;background:var(--paper)}
.tabs{margin:1.2rem 0}
[role=tablist]{display:flex;flex-wrap:wrap;gap:.3rem}
[role=tab]{border-radius:6px 6px 0 0;border-bottom:0;background:none;color:var(--soft)}
[role=tab][aria-selected=true]{background:var(--tint);color:var(--ink);font-weight:600}
[role=tablist]~.tab pre{margin-top:0;border-top-left-radius:0}
#try{border:1px solid var(--line);border-radius:8px;padding:.2rem 1rem .8rem;margin:1.4rem 0;max-width:54rem}
#try h2{border:0;padding:0;margin:.7rem 0 .2rem;font-size:1.06rem}
.answer{max-height:26rem;overflow:auto}
.crumbs{font-size:.88rem;color:var(--soft);margin:0 0 .4rem}
.operations,.cards,.changes{list-style:none;padding:0}
.operations li{display:flex;flex-wrap:wrap;align-items:baseline;gap:0 .8rem;margin:0;padding:.22rem 0;border-bottom:1px solid var(--line)}
.operations .path{font-size:.8rem;color:var(--soft);margin:0 0 0 auto}
section:has(>.operations)>h2,.errors h2{margin:1.7rem 0 .3rem;padding-top:.9rem;font-size:1.2rem}
.errors p{margin:.35rem 0}
summary>.status+code{color:var(--link)}
main summary:has(.status){color:var(--ink)}
.cards{display:grid;grid-template-columns:repeat(auto-fill,minmax(17rem,1fr));gap:.15rem 1.6rem}
.cards li{margin:0;padding:.45rem 0;border-bottom:1px solid var(--line)}
.changes>li{margin:.75rem 0}
.kind{display:inline-block;font-size:.74rem;border:1px solid var(--line);border-radius:4px;padding:0 .4em;color:var(--soft)}
.kind.added{color:var(--get)}.kind.removed{color:var(--gone)}
.folded{padding-left:1rem;border-left:2px solid var(--line)}
.neighbours{display:flex;justify-content:space-between;gap:1rem;margin-top:2.6rem;padding-top:1rem;border-top:1px solid var(--line);font-size:.92rem}
.inline,.inline summary{display:inline}
.plans td:first-child{min-width:11rem;font-weight:600}
.plans td{min-width:6.5rem}
.side h2{font-size:.72rem;letter-spacing:.07em;text-transform:uppercase;color:var(--soft);margin:1.3rem 0 .35rem;border:0;padding:0}
.side ul{list-style:none;margin:0;padding:0}
.side li a{overflow-wrap:anywhere;display:block;padding:.17rem .5rem;margin-left:-.5rem;border-radius:4px;text-decoration:none;color:var(--ink)}
.side li a:hover{background:var(--tint)}
.side [aria-current]{background:var(--tint);font-weight:600}
main{grid-column:2;grid-row:1;padding:2.25rem clamp(1rem,4vw,3.5rem) 5rem;min-width:0}
main>*,section>*{max-width:54rem}
h1{font-size:1.95rem;line-height:1.2;letter-spacing:-.015em;margin:0 0 .75rem}
h2{font-size:1.35rem;line-height:1.3;margin:2.75rem 0 .6rem;padding-top:1.4rem;border-top:1px solid var(--line)}
h3{font-size:1.06rem;margin:1.6rem 0 .4rem}
h4{font-size:.9rem;margin:1.2rem 0 .3rem;color:var(--soft)}
p,ul,ol{margin:.6rem 0}
li{margin:.2rem 0}
.lead{font-size:1.1rem;color:var(--soft)}
.note{color:var(--soft);font-size:.9rem}
code{font:.88em ui-monospace,SFMono-Regular,Menlo,Consolas,monospace;background:var(--tint);padding:.08em .3em;border-radius:3px}
pre{background:var(--tint);border:1px solid var(--line);border-radius:6px;padding:.8rem 1rem;overflow-x:auto;font-size:.86rem;line-height:1.5;margin:.8rem 0}
pre code{background:none;padding:0;font-size:1em}
.scroll{overflow-x:auto;max-width:100%;margin:.9rem 0}
table{border-collapse:collapse;font-size:.92rem;width:100%}
th,td{text-align:left;vertical-align:top;padding:.42rem .9rem .42rem 0;border-bottom:1px solid var(--line)}
th{font-size:.76rem;letter-spacing:.03em;color:var(--soft);font-weight:600;white-space:nowrap}
td:first-child{min-width:7rem}
td code{overflow-wrap:break-word}
td:first-child code{white-space:nowrap}
.parameters table{table-layout:fixed}
.parameters th{width:22%}
.parameters th:nth-child(3){width:36%}
.parameters td,.parameters td:first-child code{overflow-wrap:anywhere;white-space:normal}
pre.wrap{white-space:pre-wrap;overflow-wrap:anywhere}
.op{margin-top:2.2rem;padding-top:1.2rem;border-top:1px solid var(--line)}
.op h3{margin-top:0;font-size:1.12rem}
.path{font:.95rem ui-monospace,SFMono-Regular,Menlo,Consolas,monospace;overflow-wrap:anywhere;margin:.2rem 0 .6rem}
.get{color:var(--get);font-weight:700}.post,.patch{color:var(--write);font-weight:700}.delete{color:var(--gone);font-weight:700}
details{margin:.7rem 0}
main summary{cursor:pointer;color:var(--link);font-size:.92rem;padding:.15rem 0}
.fields{list-style:none;padding:0 0 0 .9rem;border-left:2px solid var(--line);font-size:.92rem}
.fields .fields{margin:.2rem 0}
.type{color:var(--soft);font-size:.86rem}
.status{color:var(--soft);font-weight:400}
section:target>:is(h2,h3){background:var(--mark)}
dl{display:grid;grid-template-columns:max-content 1fr;gap:.2rem 1rem;margin:.6rem 0}
dt{color:var(--soft);font-size:.9rem}dd{margin:0}
@media (max-width:56rem){
.frame{display:block}
.side{position:static;height:auto;border-right:0;border-top:1px solid var(--line);padding:1.4rem 1rem 3rem}
.top{display:flex;justify-content:space-between;gap:1rem;padding:.7rem 1rem;border-bottom:1px solid var(--line);font-size:.92rem}
.top .home{margin:0}
.bar{flex-wrap:wrap;gap:.6rem 1rem;padding:.7rem 1rem}.bar .to-contents{display:block;order:4}.bar .home{flex:1 1 auto}.search{order:3;flex:1 1 12rem;width:auto}
.plans td:first-child{min-width:8rem}
main{grid-column:2;grid-row:1;padding-top:1.4rem}
h1{font-size:1.6rem}
dl{grid-template-columns:1fr;gap:0}dd{margin:0 0 .5rem}
.side li a{padding:.35rem .5rem}
}
@media (max-width:40rem){
.stack td:first-child code{white-space:normal}
.stack thead{display:none}
.stack table,.stack tbody{display:block}
.stack tr{display:block;padding:.7rem 0;border-bottom:1px solid var(--line)}
.stack td{display:block;border:0;padding:.12rem 0;overflow-wrap:anywhere}
.stack td:first-child{font-weight:600}
}
@media print{.side,.skip,.top{display:none}.frame{display:block}}
`;
