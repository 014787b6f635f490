{{- define "ducat.name" -}}
{{- .Release.Name | trunc 40 | trimSuffix "-" -}}
{{- end }}

{{- define "ducat.image" -}}
{{ .Values.image.repository }}:{{ .Values.image.tag | default .Chart.AppVersion }}
{{- end }}

{{/* Of everything: which release it belongs to. */}}
{{- define "ducat.labels" -}}
app.kubernetes.io/name: ducat
app.kubernetes.io/instance: {{ .Release.Name }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
{{- end }}

{{- define "ducat.selector" -}}
app.kubernetes.io/name: ducat
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end }}

{{- define "ducat.signerHost" -}}
{{ .Values.signer.host | default (printf "%s-signer" (include "ducat.name" .)) }}
{{- end }}

{{/* Of each container: no privileges, and a root that cannot be written to. */}}
{{- define "ducat.containerSecurity" -}}
allowPrivilegeEscalation: false
readOnlyRootFilesystem: true
capabilities: { drop: [ALL] }
{{- end }}

{{/* The names of the components that are on, as a JSON list. */}}
{{- define "ducat.components" -}}
{{- $on := list -}}
{{- range $name, $component := .Values.components -}}
{{- if ne (toString (dig "enabled" true $component)) "false" -}}
{{- $on = append $on $name -}}
{{- end -}}
{{- end -}}
{{- toJson $on -}}
{{- end }}

{{/* What a pod gets of the gateway's Secret: without a client's name nothing of the signer's. Called with a dict of root and client. */}}
{{- define "ducat.secretItems" -}}
{{- $keys := append .root.Values.secrets.files "master-secret" -}}
{{- with .client -}}
{{- $keys = concat $keys (list "signer-client.pem" "signer-client.key" "signer-ca.pem" (printf "signer-token-%s" .)) -}}
{{- end -}}
{{- range $key := $keys }}
- { key: {{ $key }}, path: {{ $key }} }
{{- end }}
{{- end }}

{{/* Kubernetes shows a Secret's files to a whole group, and Ducat refuses a secret that others can read. So they are copied.
Where this container runs again, nobody may write to its first copies: -f replaces them. */}}
{{- define "ducat.secretCopy" -}}
- name: secrets
  image: {{ include "ducat.image" . }}
  imagePullPolicy: {{ .Values.image.pullPolicy }}
  command: ["sh", "-c", "umask 077 && cp -fL /mnt/secret/* /run/ducat-secrets/"]
  securityContext: {{- include "ducat.containerSecurity" . | nindent 4 }}
  resources: { requests: { cpu: 10m, memory: 16Mi }, limits: { memory: 64Mi } }
  volumeMounts:
    - { name: secret, mountPath: /mnt/secret, readOnly: true }
    - { name: secrets, mountPath: /run/ducat-secrets }
{{- end }}
