{{- define "rapporteur.fullname" -}}
{{- if contains "rapporteur" .Release.Name }}{{ .Release.Name | trunc 40 | trimSuffix "-" }}{{ else }}{{ printf "%s-rapporteur" .Release.Name | trunc 40 | trimSuffix "-" }}{{ end }}
{{- end }}

{{- define "rapporteur.botsNamespace" -}}
{{ .Values.bots.namespace | default (printf "%s-bots" .Release.Namespace) }}
{{- end }}

{{/* Labels of an object: (dict "root" $ "component" NAME) */}}
{{- define "rapporteur.labels" -}}
{{ include "rapporteur.selector" . }}
app.kubernetes.io/version: {{ .root.Chart.AppVersion | quote }}
app.kubernetes.io/part-of: rapporteur
app.kubernetes.io/managed-by: {{ .root.Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .root.Chart.Name .root.Chart.Version }}
{{- end }}

{{- define "rapporteur.selector" -}}
app.kubernetes.io/name: {{ .component }}
app.kubernetes.io/instance: {{ .root.Release.Name }}
{{- end }}

{{/* Image: (dict "root" $ "image" .Values.image.services) */}}
{{- define "rapporteur.image" -}}
{{- $registry := .root.Values.image.registry | trimSuffix "/" -}}
{{- $name := ternary .image.repository (printf "%s/%s" $registry .image.repository) (empty $registry) -}}
{{- if .image.digest }}{{ $name }}@{{ .image.digest }}{{ else }}{{ $name }}:{{ .root.Values.image.tag | default .root.Chart.AppVersion }}{{ end }}
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

{{- define "rapporteur.restrictedPod" -}}
runAsNonRoot: true
runAsUser: 1000
runAsGroup: 1000
fsGroup: 1000
fsGroupChangePolicy: OnRootMismatch
seccompProfile: { type: RuntimeDefault }
{{- end }}

{{- define "rapporteur.restrictedContainer" -}}
allowPrivilegeEscalation: false
readOnlyRootFilesystem: true
capabilities: { drop: [ALL] }
{{- end }}

{{- define "rapporteur.placement" -}}
{{- with .Values.image.pullSecrets }}
imagePullSecrets: {{ range . }}
  - name: {{ . }}{{ end }}
{{- end }}
{{- with .Values.scheduling.priorityClassName }}
priorityClassName: {{ . }}
{{- end }}
{{- with .Values.scheduling.nodeSelector }}
nodeSelector: {{ toJson . }}
{{- end }}
{{- with .Values.scheduling.tolerations }}
tolerations: {{ toJson . }}
{{- end }}
{{- end }}
