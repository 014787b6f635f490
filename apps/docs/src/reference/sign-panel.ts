// The form in which a reader signs the example in the browser. It needs a script and is hidden without one.
import type { Endpoint } from '@ducat/contract/endpoint';
import type { EndpointName } from '@ducat/contract/endpoints/registry';
import { type Html, html } from '../html/html.ts';
import { exampleBody, exampleIdempotencyKey } from './samples-block.ts';

export function signPanel(name: EndpointName, endpoint: Endpoint): Html {
  const key = exampleIdempotencyKey(endpoint);
  const naming =
    key === ''
      ? html``
      : html`<label>Idempotency-Key<input name="idempotency-key" value="${key}" autocomplete="off" spellcheck="false"></label>`;
  const rows = Math.min(14, JSON.stringify(endpoint.exampleRequest, null, 2).split('\n').length);
  return html`<section class="sign by-script" id="sign" hidden data-name="${name}" data-path="${endpoint.path}" data-app-kind="${endpoint.appKind}" aria-labelledby="sign-title">
<h2 id="sign-title">Sign it here</h2>
<p class="sign-lead">Your browser computes the signature. The AppKey stays in the memory of this page: it is not stored, and nothing but the signature is ever sent.</p>
<p class="sign-trouble" role="alert" hidden></p>
<div class="sign-who"><label>AppId<input name="app-id" autocomplete="off" spellcheck="false" placeholder="app_…"></label>
<label>AppKey<input name="app-key" class="secret" autocomplete="off" spellcheck="false" placeholder="shown once, on the dashboard"></label></div>
${naming}<label>Body<textarea name="body" rows="${rows}" spellcheck="false" autocomplete="off" data-compact="${exampleBody(endpoint)}">${JSON.stringify(endpoint.exampleRequest, null, 2)}</textarea></label>
<div class="sign-acts"><button type="button" class="primary" name="sign">Sign</button><button type="button" name="send" hidden>Send to the demo</button></div>
<div class="sign-result" hidden><h3>What is signed</h3>
<p class="sign-legend"><span class="part-body">body</span> <span class="part-time">timestamp</span> <span class="part-key">AppKey</span></p>
<pre class="signed" tabindex="0"><code><span class="part-body"></span><span class="part-time"></span><span class="part-key"></span></code></pre>
<label class="check"><input type="checkbox" name="show-key"> show the AppKey</label>
<p class="sign-value">X-Sign <code></code></p></div>
<div class="sign-answer" hidden><h3>Answer</h3><p class="answer-status" role="status"></p><pre tabindex="0"><code></code></pre></div></section>`;
}
