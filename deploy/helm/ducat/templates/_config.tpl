{{/*
ducat.toml of one component: the operator's config, and over it what the chart alone knows.
Called with a dict of root and component.
*/}}
{{- define "ducat.config" -}}
{{- $values := .root.Values -}}
{{- $secrets := "/run/ducat-secrets" -}}
{{- $own := dict
  "roles" .component.roles
  "api" (dict "host" "0.0.0.0" "port" 8080)
  "pages" (dict "host" "0.0.0.0" "port" 8081)
  "dashboard" (dict "host" "0.0.0.0" "port" 8082)
  "operations" (dict "host" "0.0.0.0" "port" 9090)
  "secrets" (dict "master_secret_file" (printf "%s/master-secret" $secrets)) -}}
{{- if $values.ingress.enabled -}}
{{- if not $values.config.api.trusted_proxies -}}
{{- fail "config.api.trusted_proxies is empty: name the addresses of your Ingress controller's pods, or everybody counts as one address" -}}
{{- end -}}
{{- $pay := printf "https://%s" $values.ingress.payHost -}}
{{- $_ := set $own.api "public_url" $pay -}}
{{- $_ := set $own.api "checkout_url" (printf "%s/pay" $pay) -}}
{{- $_ := set $own.dashboard "url" (printf "https://%s" $values.ingress.dashboardHost) -}}
{{- end -}}
{{- with .component.client -}}
{{- if not (has . $values.signer.clients) -}}
{{- fail (printf "signer.clients does not have %s" .) -}}
{{- end -}}
{{- $signer := dict
  "client" .
  "token_file" (printf "%s/signer-token-%s" $secrets .)
  "tls" (dict
    "host" (include "ducat.signerHost" $.root)
    "port" $values.signer.port
    "cert_file" (printf "%s/signer-client.pem" $secrets)
    "key_file" (printf "%s/signer-client.key" $secrets)
    "ca_file" (printf "%s/signer-ca.pem" $secrets)) -}}
{{- with $values.signer.keyId -}}{{- $_ := set $signer "key_id" . -}}{{- end -}}
{{- $_ := set $own "signer" $signer -}}
{{- end -}}
{{- mergeOverwrite (deepCopy $values.config) $own | toToml -}}
{{- end }}
