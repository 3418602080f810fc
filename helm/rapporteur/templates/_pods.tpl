{{/* Options of one kind of pod: `pods` of the values under its own. Maps are merged, lists replace, `extra…` lists add: (dict "root" $ "pod" OWN) */}}
{{- define "rapporteur.podOptions" -}}
{{- $own := .pod | default dict -}}
{{- $options := mergeOverwrite (deepCopy .root.Values.pods) (deepCopy $own) -}}
{{- range $key := list "extraEnv" "extraVolumes" "extraVolumeMounts" "initContainers" "extraContainers" -}}
{{- $_ := set $options $key (concat (get $.root.Values.pods $key | default list) (get $own $key | default list)) -}}
{{- end -}}
{{ toYaml $options }}
{{- end }}

{{/* Metadata of a pod template: (dict "root" $ "component" NAME "options" OPTIONS "annotations" DICT) */}}
{{- define "rapporteur.podMetadata" -}}
{{- $annotations := mergeOverwrite (deepCopy (.annotations | default dict)) .options.annotations -}}
{{- with include "rapporteur.checksum" .root }}{{ $_ := set $annotations "checksum/secrets" . }}{{ end -}}
labels: {{- mergeOverwrite (deepCopy .options.labels) (include "rapporteur.labels" . | fromYaml) | toYaml | nindent 2 }}
{{- with $annotations }}
annotations: {{- toYaml . | nindent 2 }}
{{- end }}
{{- end }}

{{/* Of the Secrets and the CA bundle that pods use, as the cluster holds them; empty where there is no cluster to ask. */}}
{{- define "rapporteur.checksum" -}}
{{- if .Values.secrets.checksum -}}
{{- $found := list -}}
{{- range $name := list .Values.secrets.existingSecret .Values.caBundle.secret .Values.database.clientCertificate .Values.bus.clientCertificate .Values.bots.clustersSecret | compact }}{{ with lookup "v1" "Secret" $.Release.Namespace $name }}{{ $found = append $found .data }}{{ end }}{{ end -}}
{{- with .Values.caBundle.configMap }}{{ with lookup "v1" "ConfigMap" $.Release.Namespace . }}{{ $found = append $found .data }}{{ end }}{{ end -}}
{{- if $found }}{{ toJson $found | sha256sum }}{{ end -}}
{{- end -}}
{{- end }}

{{/* (dict "options" OPTIONS "base" DICT) */}}
{{- define "rapporteur.podSecurity" -}}
{{- $base := dict "runAsNonRoot" true "seccompProfile" (dict "type" "RuntimeDefault") -}}
{{ toYaml (mergeOverwrite $base (deepCopy (.base | default dict)) (deepCopy .options.securityContext)) }}
{{- end }}

{{/* Of OPTIONS: what Pod Security "restricted" wants, with the operator's additions. */}}
{{- define "rapporteur.containerSecurity" -}}
{{- $base := dict "allowPrivilegeEscalation" false "readOnlyRootFilesystem" true "capabilities" (dict "drop" (list "ALL")) -}}
{{ toYaml (mergeOverwrite $base (deepCopy (.containerSecurityContext | default dict))) }}
{{- end }}

{{/* Where pods run: (dict "root" $ "component" NAME "options" OPTIONS "spread" BOOL) */}}
{{- define "rapporteur.placement" -}}
{{- with .root.Values.image.pullSecrets }}
imagePullSecrets: {{ range . }}
  - name: {{ . }}{{ end }}
{{- end }}
{{- if has .component (list "whisper" "migrations" "connection-test") }}
{{- with dig "serviceAccount" "name" "" .options }}
serviceAccountName: {{ . }}
{{- end }}
{{- end }}
{{- range $key := list "priorityClassName" "runtimeClassName" "nodeSelector" "tolerations" "affinity" "hostAliases" "dnsPolicy" "dnsConfig" }}
{{- with get $.options $key }}
{{ $key }}: {{ toJson . }}
{{- end }}
{{- end }}
{{- $selector := dict "matchLabels" (include "rapporteur.selector" . | fromYaml) }}
{{- $spread := ternary (list (dict "maxSkew" 1 "topologyKey" "kubernetes.io/hostname" "whenUnsatisfiable" "ScheduleAnyway")) list (eq .spread true) }}
{{- with .options.topologySpreadConstraints | default $spread }}
topologySpreadConstraints:
{{- range . }}
  - {{ merge (dict) . (dict "labelSelector" $selector) | toJson }}
{{- end }}
{{- end }}
{{- end }}

{{/* Entries of `env` of every container: the CA bundle, and variables of the operator. (dict "root" $ "options" OPTIONS) */}}
{{- define "rapporteur.extraEnv" -}}
{{- if or .root.Values.caBundle.configMap .root.Values.caBundle.secret }}
- { name: NODE_EXTRA_CA_CERTS, value: /etc/rapporteur/ca/ca.crt }
{{- end }}
{{- with .options.extraEnv }}
{{ toYaml . }}
{{- end }}
{{- end }}

{{/* Objects of the cluster that a pod has as files, by name of the volume: (dict "root" $ "component" NAME) */}}
{{- define "rapporteur.files" -}}
{{- $values := .root.Values -}}
{{- with $values.caBundle }}{{ if or .configMap .secret }}
ca-bundle: {{ include "rapporteur.caVolume" $ | trim }}
{{- end }}{{ end }}
{{- if and $values.database.clientCertificate (not (has .component (list "whisper" "connection-test" "bot-runner"))) }}
database-certificate: { folder: database, source: { secret: { secretName: {{ $values.database.clientCertificate }} } } }
{{- end }}
{{- if and $values.bus.clientCertificate (has .component (list "api-gateway" "bot-scheduler" "delivery" "sso-idp" "calendar-sync" "transcriber")) }}
bus-certificate: { folder: bus, source: { secret: { secretName: {{ $values.bus.clientCertificate }} } } }
{{- end }}
{{- if and $values.bus.runnerClientCertificate (eq .component "bot-runner") }}
bus-certificate: { folder: bus, source: { secret: { secretName: {{ $values.bus.runnerClientCertificate }} } } }
{{- end }}
{{- if and $values.bots.clustersSecret (eq .component "bot-scheduler") }}
clusters: { folder: clusters, source: { secret: { secretName: {{ $values.bots.clustersSecret }} } } }
{{- end }}
{{- if and $values.bots.pagePacks.configMap (eq .component "bot-scheduler") }}
page-packs: { folder: page-packs, source: { configMap: { name: {{ $values.bots.pagePacks.configMap }} } } }
{{- end }}
{{- end }}

{{- define "rapporteur.caVolume" -}}
{{- with .root.Values.caBundle -}}
{{- $items := list (dict "key" .key "path" "ca.crt") -}}
{{- $source := ternary (dict "configMap" (dict "name" .configMap "items" $items)) (dict "secret" (dict "secretName" .secret "items" $items)) (ne .configMap "") -}}
{{ dict "folder" "ca" "source" $source | toJson }}
{{- end }}
{{- end }}

{{- define "rapporteur.volumeMounts" -}}
{{- range $name, $file := include "rapporteur.files" . | fromYaml }}
- { name: {{ $name }}, mountPath: /etc/rapporteur/{{ $file.folder }}, readOnly: true }
{{- end }}
{{- with .options.extraVolumeMounts }}
{{ toYaml . }}
{{- end }}
{{- end }}

{{- define "rapporteur.volumes" -}}
{{- range $name, $file := include "rapporteur.files" . | fromYaml }}
- {{ merge (dict "name" $name) $file.source | toJson }}
{{- end }}
{{- with .options.extraVolumes }}
{{ toYaml . }}
{{- end }}
{{- end }}

{{/* Keys of the spec of a Service, from `service` of OPTIONS. */}}
{{- define "rapporteur.serviceSpec" -}}
{{- range $key, $value := omit .service "annotations" }}{{ with $value }}
{{ $key }}: {{ toJson . }}
{{- end }}{{ end }}
{{- end }}
