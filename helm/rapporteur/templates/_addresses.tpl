{{/*
Egress rules to addresses of other values, so that one value is enough: (dict "root" $ "addresses" LIST). An address is a URL, an
address, a range, or host:port. A name inside the cluster is its namespace, because a policy sees the ports of pods and not
those of Services; another name has no rule, because policies know no names.
*/}}
{{- define "rapporteur.addressRules" -}}
{{- $namespace := .root.Release.Namespace -}}
{{- range $address := .addresses | compact | uniq }}
{{- $port := "" }}
{{- if contains "://" $address }}
{{- $url := urlParse $address }}
{{- $port = get (dict "http" "80" "ws" "80" "nats" "4222" "tls" "4222" "postgres" "5432" "postgresql" "5432") $url.scheme | default "443" }}
{{- $address = $url.host }}
{{- end }}
{{- $host := $address }}
{{- if or (hasPrefix "[" $address) (not (regexMatch ":.*:" $address)) }}
{{- with regexFind ":[0-9]+$" $address }}{{ $port = trimPrefix ":" . }}{{ end }}
{{- $host = regexReplaceAll ":[0-9]+$" $address "" | trimPrefix "[" | trimSuffix "]" }}
{{- end }}
{{- $ports := "" }}
{{- with $port }}{{ $ports = printf ", ports: [{ protocol: TCP, port: %s }]" . }}{{ end }}
{{- if regexMatch "^([0-9]+\\.){3}[0-9]+(/[0-9]+)?$" $host }}
- { to: [{ ipBlock: { cidr: {{ ternary $host (printf "%s/32" $host) (contains "/" $host) }} } }]{{ $ports }} }
{{- else if regexMatch "^[0-9a-fA-F]*:[0-9a-fA-F:]*(/[0-9]+)?$" $host }}
- { to: [{ ipBlock: { cidr: '{{ ternary $host (printf "%s/128" $host) (contains "/" $host) }}' } }]{{ $ports }} }
{{- else if regexMatch "^[a-z0-9-]+(\\.[a-z0-9-]+\\.svc(\\..*)?)?$" $host }}
{{- $parts := splitList "." $host }}
{{- if and (ne $host "localhost") (ne $host "loopback") }}
- { to: [{ namespaceSelector: { matchLabels: { kubernetes.io/metadata.name: {{ ternary (index (append $parts "") 1) $namespace (gt (len $parts) 1) }} } } }] }
{{- end }}
{{- end }}
{{- end }}
{{- end }}

{{/* Ports of NATS for a component: those of its addresses, unless `networkPolicy.busPort` names the port of the pods behind a Service. */}}
{{- define "rapporteur.busPorts" -}}
{{- $bus := .root.Values.bus -}}
{{- $url := ternary ($bus.runnerUrl | default $bus.url) $bus.url (eq .component "bot-runner") -}}
{{- $ports := list -}}
{{- range splitList "," $url }}{{ $ports = append $ports (regexFind ":[0-9]+$" (urlParse (trim .)).host | trimPrefix ":" | default "4222") }}{{ end -}}
{{- with .root.Values.networkPolicy.busPort }}{{ $ports = list (toString .) }}{{ end -}}
[{{ range $index, $port := uniq $ports }}{{ if $index }}, {{ end }}{ protocol: TCP, port: {{ $port }} }{{ end }}]
{{- end }}

{{/*
Hosts of `rapporteur.addressesOf` that no rule can name, as JSON: names outside the cluster. `reached` have the components that reach
the internet, if the host is public; `refused` those that do not.
*/}}
{{- define "rapporteur.namedHosts" -}}
{{- $hosts := dict "reached" (dict) "refused" (dict) -}}
{{- $traffic := include "rapporteur.traffic" . | fromYaml -}}
{{- range $component := concat (keys .Values.services) (list "bot-runner" "whisper") -}}
{{- range $address := include "rapporteur.addressesOf" (dict "root" $ "component" $component) | fromJsonArray | compact -}}
{{- if not (include "rapporteur.addressRules" (dict "root" $ "addresses" (list $address)) | trim) -}}
{{- $host := ternary (urlParse $address).host $address (contains "://" $address) -}}
{{- $found := get $hosts (ternary "reached" "refused" (has "internet" (dig $component "to" list $traffic))) -}}
{{- $_ := set $found $host (append (get $found $host | default list) $component) -}}
{{- end -}}
{{- end -}}
{{- end -}}
{{ toJson $hosts }}
{{- end }}

{{/* Addresses that a component reaches by other values, as JSON: (dict "root" $ "component" NAME) */}}
{{- define "rapporteur.addressesOf" -}}
{{- $values := .root.Values -}}
{{- $addresses := list -}}
{{- $services := keys $values.services -}}
{{- if has .component (append $services "bot-runner") }}{{ $addresses = append $addresses $values.tracesUrl }}{{ end -}}
{{- if has .component (without $services "api-gateway" "bot-scheduler") }}{{ $addresses = concat $addresses $values.outbound.allowedAddresses }}{{ end -}}
{{- if has .component (concat (without $services "api-gateway" "bot-scheduler") (list "bot-runner" "whisper")) }}{{ $addresses = append (append $addresses $values.proxy.http) $values.proxy.https }}{{ end -}}
{{- if eq .component "bot-runner" }}{{ $addresses = concat $addresses $values.bots.allowedAddresses }}{{ end -}}
{{- if eq .component "bot-scheduler" }}{{ $addresses = concat $addresses (list $values.bots.pagePacks.address $values.bots.canaries.webhook) }}{{ end -}}
{{- if eq .component "console" }}{{ $addresses = append $addresses (get $values.services.console.settings "OIDC_ISSUER" | default "") }}{{ end -}}
{{- if eq .component "transcriber" }}{{ $addresses = append $addresses $values.transcription.openaiCompatibleUrl }}{{ end -}}
{{- $service := ternary "bot-scheduler" .component (eq .component "bot-runner") -}}
{{- range $name, $setting := (get (get $values.services $service | default dict) "settings" | default dict) -}}
{{- /* What bots call, and addresses of this deployment that others call. */ -}}
{{- $ofBots := or (hasPrefix "RUNNER_" $name) (eq $name "LIVE_PROVIDER_ADDRESSES") -}}
{{- $ours := has $name (list "PUBLIC_URL" "PUBLIC_FILES_URL" "PUBLIC_API_URL" "CONSENT_REDIRECT_URL" "CORS_ORIGINS" "GRAFANA_URL") -}}
{{- if and (eq $ofBots (eq $.component "bot-runner")) (not $ours) }}{{ $addresses = concat $addresses (regexFindAll "[a-z]+://[^,\\s]+" (toString $setting) -1) }}{{ end -}}
{{- end -}}
{{- if eq .component "bot-scheduler" }}{{ range $values.bots.clusters }}{{ $addresses = append $addresses (.apiAddress | default "") }}{{ end }}{{ end -}}
{{- if and (ne $values.objectStore.driver "disk") (has .component (list "storage-config" "console" "bot-runner")) }}{{ $addresses = append $addresses (get $values.objectStore $values.objectStore.driver).endpoint }}{{ end -}}
{{ toJson $addresses }}
{{- end }}
