{{- define "rapporteur.fullname" -}}
{{- $name := .Values.nameOverride | default "rapporteur" -}}
{{- $full := ternary .Release.Name (printf "%s-%s" .Release.Name $name) (contains $name .Release.Name) -}}
{{ .Values.fullnameOverride | default $full | trunc 40 | trimSuffix "-" }}
{{- end }}

{{- define "rapporteur.botsNamespace" -}}
{{ .Values.bots.namespace | default (printf "%s-bots" .Release.Namespace) }}
{{- end }}

{{/* Labels of an object: (dict "root" $ "component" NAME) */}}
{{- define "rapporteur.labels" -}}
{{- $own := include "rapporteur.selector" . | fromYaml -}}
{{- $_ := set $own "app.kubernetes.io/version" .root.Chart.AppVersion -}}
{{- $_ := set $own "app.kubernetes.io/part-of" "rapporteur" -}}
{{- $_ := set $own "app.kubernetes.io/managed-by" .root.Release.Service -}}
{{- $_ := set $own "helm.sh/chart" (printf "%s-%s" .root.Chart.Name .root.Chart.Version) -}}
{{ toYaml (mergeOverwrite (deepCopy .root.Values.commonLabels) $own) }}
{{- end }}

{{- define "rapporteur.selector" -}}
app.kubernetes.io/name: {{ .component }}
app.kubernetes.io/instance: {{ .root.Release.Name }}
{{- end }}

{{/* A key of the Secret, or what `secrets.keys` has in its place, as a secretKeyRef: (dict "root" $ "key" KEY "optional" BOOL) */}}
{{- define "rapporteur.secretRef" -}}
{{- $own := get .root.Values.secrets.keys .key | default dict -}}
{{- $ref := dict "name" ($own.secret | default .root.Values.secrets.existingSecret) "key" ($own.key | default .key) -}}
{{- if .optional }}{{ $_ := set $ref "optional" true }}{{ end -}}
{{ toJson $ref }}
{{- end }}

{{/* ServiceAccount of a component: (dict "root" $ "component" NAME "options" OPTIONS) */}}
{{- define "rapporteur.serviceAccount" -}}
{{ dig "serviceAccount" "name" "" .options | default (printf "%s-%s" (include "rapporteur.fullname" .root) .component) }}
{{- end }}

{{/* Image: (dict "root" $ "image" .Values.image.services) */}}
{{- define "rapporteur.image" -}}
{{- $registry := .root.Values.global.imageRegistry | default .root.Values.image.registry | trimSuffix "/" -}}
{{- $name := ternary .image.repository (printf "%s/%s" $registry .image.repository) (empty $registry) -}}
{{- if .image.digest }}{{ $name }}@{{ .image.digest }}{{ else }}{{ $name }}:{{ .root.Values.image.tag | default .root.Chart.AppVersion }}{{ end }}
{{- end }}

{{/* Image of a bundled server, by its whole name: (dict "root" $ "name" NAME) */}}
{{- define "rapporteur.bundledImage" -}}
{{- with .root.Values.global.imageRegistry }}{{ trimSuffix "/" . }}/{{ end }}{{ .name }}
{{- end }}

{{/* Address of a service inside the cluster: (dict "root" $ "name" NAME) */}}
{{- define "rapporteur.url" -}}
http://{{ include "rapporteur.fullname" .root }}-{{ .name }}.{{ .root.Release.Namespace }}.svc:3000
{{- end }}

{{- define "rapporteur.busUrl" -}}
{{- if .Values.bundled.nats.enabled }}nats://{{ include "rapporteur.fullname" . }}-nats.{{ .Release.Namespace }}.svc:4222{{ else }}{{ .Values.bus.url }}{{ end }}
{{- end }}

{{/* Services that strangers reach, by the key of their address in publicUrl. */}}
{{- define "rapporteur.public" -}}
api: { service: api-gateway, port: http }
files: { service: storage-config, port: http }
{{- if .Values.publicUrl.transcriber }}
transcriber: { service: transcriber, port: webhooks }
{{- end }}
{{- end }}
