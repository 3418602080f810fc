{{/* The environment of each service. A name here stands for the variable RAPPORTEUR_<name>; a value is text, or { key: ..., optional: ... } of the Secret. */}}

{{/* A value as the text of a variable. Numbers of YAML are floating-point numbers, which would be written as 1e+06. */}}
{{- define "rapporteur.text" -}}
{{ if and (kindIs "float64" .) (eq (floor .) .) }}{{ int64 . }}{{ else }}{{ toString . }}{{ end }}
{{- end }}

{{- define "rapporteur.secretKey" -}}
SECRET_KEY: { key: {{ . }}-secret-key }
FORMER_SECRET_KEYS: { key: {{ . }}-former-secret-keys, optional: true }
{{- end }}

{{- define "rapporteur.outbound" -}}
ALLOWED_ADDRESSES: {{ .Values.outbound.allowedAddresses | concat (include "rapporteur.simulatorAddress" . | fromJsonArray) (include "rapporteur.whisperAddress" . | fromJsonArray) | join "," | quote }}
REQUIRE_HTTPS: {{ .Values.outbound.requireHttps | quote }}
{{- end }}

{{- define "rapporteur.noProxy" -}}
{{ concat (list ".svc" ".cluster.local") .Values.proxy.noProxy | join "," }}
{{- end }}

{{/* The way out of the cluster: (dict "root" $ "prefix" TEXT) */}}
{{- define "rapporteur.proxy" -}}
{{- with .root.Values.proxy }}
{{- if or .http .https }}
{{- with .http }}
{{ $.prefix }}HTTP_PROXY: {{ . | quote }}
{{- end }}
{{- with .https }}
{{ $.prefix }}HTTPS_PROXY: {{ . | quote }}
{{- end }}
{{ $.prefix }}NO_PROXY: {{ include "rapporteur.noProxy" $.root | quote }}
{{- end }}
{{- end }}
{{- end }}

{{- define "rapporteur.simulatorAddress" -}}
{{- if .Values.bundled.simulator.enabled }}{{ list (printf "%s-simulator.%s.svc:8090" (include "rapporteur.fullname" .) .Release.Namespace) | toJson }}{{ else }}[]{{ end }}
{{- end }}

{{- define "rapporteur.whisperAddress" -}}
{{- if .Values.whisper.enabled }}{{ list (include "rapporteur.url" (dict "root" . "name" "whisper") | trimPrefix "http://") | toJson }}{{ else }}[]{{ end }}
{{- end }}

{{- define "rapporteur.simulatorUrl" -}}
http://{{ include "rapporteur.fullname" . }}-simulator.{{ .Release.Namespace }}.svc:8090
{{- end }}

{{- define "rapporteur.environment.common" -}}
HOST: {{ .Values.listenAddress | quote }}
PORT: '3000'
LOG_LEVEL: {{ .Values.logLevel }}
{{- with .Values.tracesUrl }}
TRACES_URL: {{ . | quote }}
{{- end }}
{{- end }}

{{/* Of a service that owns a schema of the database. */}}
{{- define "rapporteur.environment.owner" -}}
DATABASE_URL: { key: database-url }
DATABASE_POOL_SIZE: {{ .Values.database.poolSize | quote }}
INTERNAL_SECRET: { key: internal-secret }
{{- end }}

{{- define "rapporteur.environment.bus" -}}
BUS_URL: {{ include "rapporteur.busUrl" . | quote }}
BUS_CREDENTIALS: { key: bus-credentials }
{{- if .Values.bus.clientCertificate }}
BUS_CERT_FILE: /etc/rapporteur/bus/tls.crt
BUS_KEY_FILE: /etc/rapporteur/bus/tls.key
{{- end }}
BUS_STREAM_REPLICAS: {{ .Values.bus.streamReplicas | quote }}
BUS_STREAM_MAX_BYTES: {{ .Values.bus.streamMaxBytes | int64 | quote }}
{{- end }}

{{- define "rapporteur.environment.api-gateway" -}}
{{ include "rapporteur.environment.bus" . }}
ADMIN_HOST: {{ .Values.listenAddress | quote }}
ADMIN_PORT: '3001'
ADMIN_TOKEN: { key: admin-token }
BOT_SCHEDULER_URL: {{ include "rapporteur.url" (dict "root" . "name" "bot-scheduler") }}
CALENDAR_SYNC_URL: {{ include "rapporteur.url" (dict "root" . "name" "calendar-sync") }}
DELIVERY_URL: {{ include "rapporteur.url" (dict "root" . "name" "delivery") }}
SSO_IDP_URL: {{ include "rapporteur.url" (dict "root" . "name" "sso-idp") }}
STORAGE_CONFIG_URL: {{ include "rapporteur.url" (dict "root" . "name" "storage-config") }}
{{- if .Values.services.console.enabled }}
CONSOLE_URL: {{ include "rapporteur.url" (dict "root" . "name" "console") }}
{{- end }}
{{- end }}

{{- define "rapporteur.environment.console" -}}
{{ include "rapporteur.secretKey" "console" }}
{{ include "rapporteur.outbound" . }}
{{- include "rapporteur.proxy" (dict "root" . "prefix" "") }}
API_URL: {{ include "rapporteur.url" (dict "root" . "name" "api-gateway") }}
PUBLIC_URL: {{ .Values.publicUrl.api | quote }}
PUBLIC_FILES_URL: {{ .Values.publicUrl.files | quote }}
FILES_URL: {{ include "rapporteur.url" (dict "root" . "name" "storage-config") }}
{{- end }}

{{- define "rapporteur.environment.storage-config" -}}
{{ include "rapporteur.secretKey" "storage-config" }}
{{ include "rapporteur.outbound" . }}
{{- include "rapporteur.proxy" (dict "root" . "prefix" "") }}
ADMIN_HOST: {{ .Values.listenAddress | quote }}
ADMIN_PORT: '3001'
PUBLIC_URL: {{ .Values.publicUrl.files | quote }}
RUNNER_URL: {{ include "rapporteur.url" (dict "root" . "name" "storage-config") }}
SIGNING_SECRET: { key: signing-secret }
STORE_DRIVER: {{ .Values.objectStore.driver }}
{{- with .Values.objectStore.keyPrefix }}
STORE_KEY_PREFIX: {{ . | quote }}
{{- end }}
{{- if eq .Values.objectStore.driver "disk" }}
STORE_FOLDER: /data/objects
{{- else if eq .Values.objectStore.driver "azure" }}
{{- with .Values.objectStore.azure }}
AZURE_ACCOUNT: {{ .account | quote }}
AZURE_CONTAINER: {{ .container | quote }}
{{- with .endpoint }}
AZURE_ENDPOINT: {{ . | quote }}
{{- end }}
AZURE_CREDENTIALS: {{ .credentials }}
{{- if eq .credentials "keys" }}
AZURE_ACCOUNT_KEY: { key: azure-account-key }
{{- end }}
{{- end }}
{{- else }}
S3_BUCKET: {{ .Values.objectStore.s3.bucket | quote }}
S3_REGION: {{ .Values.objectStore.s3.region | quote }}
{{- with .Values.objectStore.s3.endpoint }}
S3_ENDPOINT: {{ . | quote }}
{{- end }}
{{- with .Values.objectStore.s3.publicEndpoint }}
S3_PUBLIC_ENDPOINT: {{ . | quote }}
{{- end }}
S3_FORCE_PATH_STYLE: {{ .Values.objectStore.s3.forcePathStyle | quote }}
{{- with .Values.objectStore.s3.serverSideEncryption }}
S3_SERVER_SIDE_ENCRYPTION: {{ . | quote }}
{{- end }}
{{- with .Values.objectStore.s3.kmsKeyId }}
S3_KMS_KEY_ID: {{ . | quote }}
{{- end }}
S3_CREDENTIALS: {{ .Values.objectStore.s3.credentials }}
{{- if eq .Values.objectStore.s3.credentials "keys" }}
S3_ACCESS_KEY_ID: { key: s3-access-key-id }
S3_SECRET_ACCESS_KEY: { key: s3-secret-access-key }
S3_SESSION_TOKEN: { key: s3-session-token, optional: true }
{{- end }}
{{- end }}
{{- end }}

{{- define "rapporteur.environment.delivery" -}}
{{ include "rapporteur.environment.bus" . }}
{{ include "rapporteur.secretKey" "delivery" }}
{{ include "rapporteur.outbound" . }}
{{- include "rapporteur.proxy" (dict "root" . "prefix" "") }}
STORAGE_URL: {{ include "rapporteur.url" (dict "root" . "name" "storage-config") }}
SCHEDULER_URL: {{ include "rapporteur.url" (dict "root" . "name" "bot-scheduler") }}
TRANSCRIBER_URL: {{ include "rapporteur.url" (dict "root" . "name" "transcriber") }}
{{- end }}

{{- define "rapporteur.environment.sso-idp" -}}
{{ include "rapporteur.environment.bus" . }}
{{ include "rapporteur.secretKey" "sso-idp" }}
{{ include "rapporteur.outbound" . }}
{{- include "rapporteur.proxy" (dict "root" . "prefix" "") }}
BOT_SCHEDULER_URL: {{ include "rapporteur.url" (dict "root" . "name" "bot-scheduler") }}
PUBLIC_URL: {{ .Values.publicUrl.api | quote }}
{{- if .Values.bundled.simulator.enabled }}
ZOOM_OAUTH_URL: {{ include "rapporteur.simulatorUrl" . }}/zoom
ZOOM_API_URL: {{ include "rapporteur.simulatorUrl" . }}/zoom
SIMULATED_GOOGLE_URL: {{ include "rapporteur.simulatorUrl" . }}/google
{{- end }}
{{- end }}

{{- define "rapporteur.environment.calendar-sync" -}}
{{ include "rapporteur.environment.bus" . }}
{{ include "rapporteur.secretKey" "calendar-sync" }}
{{ include "rapporteur.outbound" . }}
{{- include "rapporteur.proxy" (dict "root" . "prefix" "") }}
SCHEDULER_URL: {{ include "rapporteur.url" (dict "root" . "name" "bot-scheduler") }}
PUBLIC_API_URL: {{ .Values.publicUrl.api | quote }}
CONSENT_REDIRECT_URL: {{ printf "%s/console/calendars" (trimSuffix "/" .Values.publicUrl.api) | quote }}
{{- with .Values.calendars.google.clientId }}
GOOGLE_CLIENT_ID: {{ . | quote }}
GOOGLE_CLIENT_SECRET: { key: google-client-secret }
{{- end }}
{{- with .Values.calendars.microsoft }}
{{- if .clientId }}
MICROSOFT_CLIENT_ID: {{ .clientId | quote }}
MICROSOFT_CLIENT_SECRET: { key: microsoft-client-secret }
MICROSOFT_TENANT: {{ .tenant | quote }}
{{- end }}
{{- end }}
{{- if .Values.bundled.simulator.enabled }}
GOOGLE_CONSENT_URL: {{ include "rapporteur.simulatorUrl" . }}/google
GOOGLE_OAUTH_URL: {{ include "rapporteur.simulatorUrl" . }}/google/oauth2
GOOGLE_API_URL: {{ include "rapporteur.simulatorUrl" . }}/google
MICROSOFT_OAUTH_URL: {{ include "rapporteur.simulatorUrl" . }}/microsoft
MICROSOFT_API_URL: {{ include "rapporteur.simulatorUrl" . }}/microsoft
SIMULATOR_LINK_HOSTS: {{ include "rapporteur.simulatorLinkHosts" . }}
{{- end }}
{{- end }}

{{- define "rapporteur.environment.transcriber" -}}
{{ include "rapporteur.environment.bus" . }}
{{ include "rapporteur.outbound" . }}
{{- include "rapporteur.proxy" (dict "root" . "prefix" "") }}
STORAGE_URL: {{ include "rapporteur.url" (dict "root" . "name" "storage-config") }}
SCHEDULER_URL: {{ include "rapporteur.url" (dict "root" . "name" "bot-scheduler") }}
{{- with .Values.publicUrl.transcriber }}
PUBLIC_URL: {{ . | quote }}
WEBHOOK_HOST: {{ $.Values.listenAddress | quote }}
WEBHOOK_PORT: '3002'
{{- end }}
{{- if .Values.whisper.enabled }}
LOCAL_URL: {{ include "rapporteur.url" (dict "root" . "name" "whisper") }}
{{- end }}
{{- range without .Values.transcription.providers "local" }}
{{ . | replace "-" "_" | upper }}_API_KEY: { key: {{ . }}-api-key }
{{- end }}
{{- with .Values.transcription.openaiCompatibleUrl }}
OPENAI_COMPATIBLE_URL: {{ . | quote }}
{{- end }}
{{- end }}

{{- define "rapporteur.environment.bot-scheduler" -}}
{{ include "rapporteur.environment.bus" . }}
{{ include "rapporteur.secretKey" "bot-scheduler" }}
{{ include "rapporteur.outbound" . }}
BUS_ACCOUNT_SEED: { key: bus-account-seed }
{{- with .Values.bus.runnerUrl }}
RUNNER_BUS_URL: {{ . | quote }}
{{- end }}
{{- if .Values.bus.runnerClientCertificate }}
RUNNER_BUS_CERT_FILE: /etc/rapporteur/bus/tls.crt
RUNNER_BUS_KEY_FILE: /etc/rapporteur/bus/tls.key
{{- end }}
STORAGE_URL: {{ include "rapporteur.url" (dict "root" . "name" "storage-config") }}
SSO_IDP_URL: {{ include "rapporteur.url" (dict "root" . "name" "sso-idp") }}
PUBLIC_SCHEDULER_URL: {{ include "rapporteur.url" (dict "root" . "name" "bot-scheduler") }}
TRANSCRIBER_URL: {{ include "rapporteur.url" (dict "root" . "name" "transcriber") }}
TRANSCRIPTION_ENGINES: {{ .Values.transcription.providers | join "," | quote }}
LIVE_TRANSCRIPTION_ENGINES: {{ .Values.transcription.liveProviders | join "," | quote }}
{{- with .Values.transcription.liveFallback }}
LIVE_TRANSCRIPTION_FALLBACK: {{ . }}
{{- end }}
{{- range without .Values.transcription.liveProviders "local" }}
LIVE_{{ . | upper }}_API_KEY: { key: {{ . }}-api-key }
{{- end }}
{{- if .Values.whisper.enabled }}
LIVE_PROVIDER_ADDRESSES: local={{ include "rapporteur.url" (dict "root" . "name" "whisper") | replace "http://" "ws://" }}
{{- end }}
LAUNCHER: kubernetes
KUBERNETES_NAMESPACE: {{ include "rapporteur.botsNamespace" . }}
KUBERNETES_IMAGE: {{ include "rapporteur.image" (dict "root" . "image" .Values.image.runner) }}
KUBERNETES_INSTANCE: {{ .Release.Name }}
KUBERNETES_POD: {{ include "rapporteur.botPod" . | quote }}
{{- with .Values.bots.clusters }}
KUBERNETES_CLUSTERS: {{ include "rapporteur.clusters" . | quote }}
{{- end }}
KUBERNETES_TERMINATION_GRACE_MS: {{ mul .Values.bots.terminationGracePeriodSeconds 1000 | quote }}
KUBERNETES_CREATES_PER_SECOND: {{ .Values.bots.createsPerSecond | quote }}
MAX_CONCURRENT_BOTS: {{ .Values.bots.maxConcurrent | quote }}
REJOINS_AFTER_FAILURE: {{ .Values.bots.rejoinsAfterFailure | quote }}
KUBERNETES_LEAVE_NODES: {{ .Values.bots.leaveNodes }}
{{- if eq .Values.bots.disruption "wait" }}
KUBERNETES_DISRUPTION_BUDGET: {{ include "rapporteur.botsAccount" . }}
{{- end }}
MOVES_DISPLACED: {{ ne .Values.bots.disruption "end" | quote }}
RUNNER_CHROMIUM_SANDBOX: {{ .Values.bots.chromiumSandbox | quote }}
{{- if or .Values.caBundle.configMap .Values.caBundle.secret }}
RUNNER_CA_FILE: /etc/rapporteur/ca/ca.crt
{{- end }}
RUNNER_ALLOWED_ADDRESSES: {{ .Values.bots.allowedAddresses | concat (include "rapporteur.whisperAddress" . | fromJsonArray) | join "," | quote }}
RUNNER_REQUIRE_HTTPS: {{ .Values.bots.requireHttps | quote }}
{{- include "rapporteur.proxy" (dict "root" . "prefix" "RUNNER_") }}
{{- if .Values.bots.pagePacks.configMap }}
PAGE_PACKS: /etc/rapporteur/page-packs
{{- else if .Values.bots.pagePacks.address }}
PAGE_PACKS: {{ .Values.bots.pagePacks.address | quote }}
PAGE_PACK_KEYS: {{ .Values.bots.pagePacks.keys | join "," | quote }}
{{- end }}
{{- with .Values.bots.canaries.meetings }}
CANARIES: {{ toJson . | quote }}
{{- end }}
{{- with .Values.bots.canaries.webhook }}
CANARY_WEBHOOK: {{ . | quote }}
CANARY_WEBHOOK_SECRET: { key: canary-webhook-secret }
{{- end }}
{{- if .Values.bundled.simulator.enabled }}
SIMULATOR_RULES: {{ include "rapporteur.simulatorRules" . | quote }}
SIMULATOR_SPKI: { key: simulator-spki }
SIMULATOR_LINK_HOSTS: {{ include "rapporteur.simulatorLinkHosts" . }}
{{- else }}
ZOOM_SDK_KEY: { key: zoom-sdk-key, optional: true }
ZOOM_SDK_SECRET: { key: zoom-sdk-secret, optional: true }
{{- end }}
{{- end }}

{{- define "rapporteur.simulatorLinkHosts" -}}
meet.simulator.localhost:8443,teams.simulator.localhost:8443,zoom.simulator.localhost:8443
{{- end }}

{{- define "rapporteur.simulatorRules" -}}
{{- $address := printf "%s-simulator.%s.svc:8443" (include "rapporteur.fullname" .) .Release.Namespace -}}
{{- $rules := list -}}
{{- range (.Files.Get "files/simulator-hosts.txt" | trim | splitList "\n") }}{{ $rules = append $rules (printf "MAP %s:443 %s" . $address) }}{{ end -}}
{{ $rules | join "," }}
{{- end }}

{{/* bots.clusters as bot-scheduler reads them: kubeconfigs are files. */}}
{{- define "rapporteur.clusters" -}}
{{- $clusters := list -}}
{{- range . -}}
{{- $files := dict -}}
{{- with .kubeconfig }}{{ $_ := set $files "kubeconfig" (printf "/etc/rapporteur/clusters/%s" .) }}{{ end -}}
{{- $clusters = append $clusters (omit (merge $files .) "apiAddress") -}}
{{- end -}}
{{ toJson $clusters }}
{{- end }}

{{/* bots.pod as bot-scheduler reads it: keys without a value are left out, the chart's own settings are filled in. */}}
{{- define "rapporteur.botPod" -}}
{{- $pod := dict "imagePullPolicy" .Values.image.pullPolicy "imagePullSecrets" .Values.image.pullSecrets "serviceAccountName" (include "rapporteur.botsAccount" .) "scheduling" .Values.bots.scheduling -}}
{{- with .Values.bots.queue }}{{ $_ := set $pod "queue" . }}{{ end -}}
{{- range $key, $value := deepCopy .Values.bots.pod }}{{ if not (kindIs "invalid" $value) }}{{ $_ := set $pod $key $value }}{{ end }}{{ end -}}
{{- $_ := set $pod "labels" (merge (dict) ($pod.labels | default dict) .Values.commonLabels) -}}
{{- range $name, $file := include "rapporteur.files" (dict "root" . "component" "bot-runner") | fromYaml -}}
{{- $_ := set $pod "extraVolumes" (append ($pod.extraVolumes | default list) (merge (dict "name" $name) $file.source)) -}}
{{- $_ := set $pod "extraVolumeMounts" (append ($pod.extraVolumeMounts | default list) (dict "name" $name "mountPath" (printf "/etc/rapporteur/%s" $file.folder) "readOnly" true)) -}}
{{- end -}}
{{- if or .Values.caBundle.configMap .Values.caBundle.secret -}}
{{- $_ := set $pod "extraEnv" (append ($pod.extraEnv | default list) (dict "name" "NODE_EXTRA_CA_CERTS" "value" "/etc/rapporteur/ca/ca.crt")) -}}
{{- end -}}
{{ toJson $pod }}
{{- end }}

{{/* Entries of `env`: (dict "root" $ "name" SERVICE) */}}
{{- define "rapporteur.environment" -}}
{{- $all := include "rapporteur.environment.common" .root | fromYaml -}}
{{- $all = merge (include "rapporteur.environment.owner" .root | fromYaml) $all -}}
{{- $all = merge (include (printf "rapporteur.environment.%s" .name) .root | fromYaml) $all -}}
{{- range $name, $value := (index .root.Values.services .name).settings }}{{ $_ := set $all $name (include "rapporteur.text" $value) }}{{ end -}}
{{- range $name := keys $all | sortAlpha }}
{{- $value := get $all $name }}
{{- if kindIs "map" $value }}
- name: RAPPORTEUR_{{ $name }}
  valueFrom: { secretKeyRef: {{ include "rapporteur.secretRef" (dict "root" $.root "key" $value.key "optional" $value.optional) }} }
{{- else }}
- name: RAPPORTEUR_{{ $name }}
  value: {{ $value | quote }}
{{- end }}
{{- end }}
{{- end }}
