{{/* Stops the rendering, in one message that names everything that is missing. */}}
{{- define "rapporteur.required" -}}
{{- $v := .Values -}}
{{- $missing := list -}}
{{- if not $v.publicUrl.api }}{{ $missing = append $missing "publicUrl.api: the address of the API as customers reach it, for example https://api.example.com" }}{{ end -}}
{{- if not $v.publicUrl.files }}{{ $missing = append $missing "publicUrl.files: the address of recordings as customers reach it, for example https://files.example.com" }}{{ end -}}
{{- if not $v.secrets.existingSecret }}{{ $missing = append $missing (printf "secrets.existingSecret: the name of the Secret with all keys. Make one with: npm run -s rapporteur -- secrets manifest --namespace %s | kubectl apply -f -" .Release.Namespace) }}{{ end -}}
{{- if and (not $v.bus.url) (not $v.bundled.nats.enabled) }}{{ $missing = append $missing "bus.url: the address of NATS, for example nats://nats.nats.svc:4222 (or bundled.nats.enabled for a trial)" }}{{ end -}}
{{- if eq $v.objectStore.driver "s3" }}
{{- if not $v.objectStore.s3.bucket }}{{ $missing = append $missing "objectStore.s3.bucket: the bucket for recordings (or objectStore.driver=disk for a trial)" }}{{ end }}
{{- if not $v.objectStore.s3.region }}{{ $missing = append $missing "objectStore.s3.region: the region of that bucket" }}{{ end }}
{{- end -}}
{{- if eq $v.objectStore.driver "azure" }}
{{- if not $v.objectStore.azure.account }}{{ $missing = append $missing "objectStore.azure.account: the storage account for recordings" }}{{ end }}
{{- if not $v.objectStore.azure.container }}{{ $missing = append $missing "objectStore.azure.container: the container for recordings" }}{{ end }}
{{- end -}}
{{- if and $v.bots.chromiumSandbox (not $v.bots.pod.seccompProfile) }}{{ $missing = append $missing "bots.pod.seccompProfile: Chromium's sandbox needs the profile files/chromium-seccomp.json on every node of bots (docs/guides/kubernetes.md), or set bots.chromiumSandbox=false and read what that means" }}{{ end -}}
{{- range $key, $secret := $v.ingress.tls }}{{ if and $secret (not (hasPrefix "https://" (get $v.publicUrl $key))) }}{{ $missing = append $missing (printf "publicUrl.%s: must be an https address, because ingress.tls.%s names a certificate" $key $key) }}{{ end }}{{ end -}}
{{- if and (has "openai-compatible" $v.transcription.providers) (not $v.transcription.openaiCompatibleUrl) }}{{ $missing = append $missing "transcription.openaiCompatibleUrl: the server of the provider openai-compatible" }}{{ end -}}
{{- if and (has "local" (concat $v.transcription.providers $v.transcription.liveProviders)) (not $v.whisper.enabled) }}{{ $missing = append $missing "whisper.enabled: the provider local needs the transcription server of this release" }}{{ end -}}
{{- if and $v.transcription.liveFallback (not (has $v.transcription.liveFallback $v.transcription.liveProviders)) }}{{ $missing = append $missing "transcription.liveFallback: must be one of transcription.liveProviders" }}{{ end -}}
{{- if and (eq $v.bots.disruption "end") (ne $v.bots.leaveNodes "never") }}{{ $missing = append $missing "bots.leaveNodes: must be never with bots.disruption=end, bots that do not move cannot leave a node" }}{{ end -}}
{{- range $cluster := $v.bots.clusters }}{{ if $cluster.kubeconfig }}
{{- if not $v.bots.clustersSecret }}{{ $missing = append $missing (printf "bots.clustersSecret: the Secret with the kubeconfig of the cluster %s" $cluster.name) }}{{ end }}
{{- range $key := list "schedulerUrl" "busUrl" "storageUrl" }}{{ if not (get $cluster $key) }}{{ $missing = append $missing (printf "bots.clusters: %s of %s, an address at which bots of that cluster reach this one" $key $cluster.name) }}{{ end }}{{ end }}
{{- end }}{{ end -}}
{{- if and $v.gateway.enabled (not $v.gateway.parentRefs) }}{{ $missing = append $missing "gateway.parentRefs: the Gateways that take the routes" }}{{ end -}}
{{- if and $v.gateway.enabled $v.ingress.enabled }}{{ $missing = append $missing "ingress.enabled: must be false with gateway.enabled, one of the two leads to the services" }}{{ end -}}
{{- with $v.bots.pagePacks }}{{ if and .configMap .address }}{{ $missing = append $missing "bots.pagePacks: name a ConfigMap or an address, not both" }}{{ end }}{{ if and .address (not .keys) }}{{ $missing = append $missing "bots.pagePacks.keys: the public keys that sign the document at bots.pagePacks.address" }}{{ end }}{{ end -}}
{{- if and $v.caBundle.configMap $v.caBundle.secret }}{{ $missing = append $missing "caBundle: name a ConfigMap or a Secret, not both" }}{{ end -}}
{{- range $key := list "clientCertificate" "runnerClientCertificate" }}{{ if and $v.bundled.nats.enabled (get $v.bus $key) }}{{ $missing = append $missing (printf "bus.%s: the bundled NATS has no TLS" $key) }}{{ end }}{{ end -}}
{{- if and $v.prometheus.rules.enabled (not (regexMatch "^https?://.+/$" $v.prometheus.rules.runbooks)) }}{{ $missing = append $missing "prometheus.rules.runbooks: the address, with a slash at its end, below which your copy of this repository shows docs/runbooks, for example https://git.example.com/rapporteur/blob/main/" }}{{ end -}}
{{- if and $v.prometheus.podMonitor.enabled $v.networkPolicy.enabled (not $v.prometheus.namespace) (not $v.networkPolicy.metrics) }}{{ $missing = append $missing "prometheus.namespace: the namespace of Prometheus, which NetworkPolicies would refuse otherwise (or networkPolicy.metrics)" }}{{ end -}}
{{- range $cluster := $v.bots.clusters }}{{ if and $cluster.kubeconfig $v.networkPolicy.enabled $v.networkPolicy.kubernetesApi (not $cluster.apiAddress) }}{{ $missing = append $missing (printf "bots.clusters: apiAddress of %s, the address or range of its API server, because networkPolicy.kubernetesApi limits what bot-scheduler reaches" $cluster.name) }}{{ end }}{{ end -}}
{{- $clusters := dict -}}
{{- range $cluster := $v.bots.clusters }}{{ $place := printf "kubeconfig %s, namespace %s" ($cluster.kubeconfig | default "of this cluster") ($cluster.namespace | default (include "rapporteur.botsNamespace" $)) }}
{{- range $key := list (printf "name %s" $cluster.name) $place }}{{ if hasKey $clusters $key }}{{ $missing = append $missing (printf "bots.clusters: two entries have the %s" $key) }}{{ end }}{{ $_ := set $clusters $key true }}{{ end }}
{{- end -}}
{{- $canaries := list -}}
{{- range $v.bots.canaries.meetings }}{{ if has .name $canaries }}{{ $missing = append $missing (printf "bots.canaries.meetings: two entries have the name %s" .name) }}{{ end }}{{ $canaries = append $canaries .name }}{{ end -}}
{{- if and $v.whisper.enabled (not (has $v.whisper.model (list "tiny.en" "base"))) (not $v.whisper.modelSha256) (not (hasPrefix "/" $v.whisper.model)) }}{{ $missing = append $missing (printf "whisper.modelSha256: the SHA-256 of model.bin of the model %s" $v.whisper.model) }}{{ end -}}
{{- range $service, $own := merge (dict "whisper" $v.whisper) $v.services }}{{ with $own.autoscaling }}{{ if and .enabled (gt (int .minReplicas) (int .maxReplicas)) }}{{ $missing = append $missing (printf "%s.autoscaling.minReplicas: must not be above maxReplicas" (ternary "whisper" (printf "services.%s" $service) (eq $service "whisper"))) }}{{ end }}{{ end }}{{ end -}}
{{- $environments := list $v.pods.extraEnv $v.migrations.pod.extraEnv $v.whisper.pod.extraEnv $v.bots.pod.extraEnv -}}
{{- range $service, $own := $v.services }}{{ $environments = append $environments $own.pod.extraEnv }}{{ end -}}
{{- range compact $environments }}{{ range . }}{{ if hasPrefix "RAPPORTEUR_" .name }}{{ $missing = append $missing (printf "extraEnv: %s is a setting of a service and belongs into its `settings`" .name) }}{{ end }}{{ end }}{{ end -}}
{{- if $missing }}{{ fail (printf "\n\nRapporteur cannot be installed like this. These values are missing or do not fit:\n- %s\n" ($missing | join "\n- ")) }}{{ end -}}
{{- end }}
