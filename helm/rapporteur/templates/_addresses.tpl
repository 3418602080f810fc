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
{{- $port = ternary "80" "443" (eq $url.scheme "http") }}
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
{{- if and (ne $values.objectStore.driver "disk") (has .component (list "storage-config" "console" "bot-runner")) }}{{ $addresses = append $addresses (get $values.objectStore $values.objectStore.driver).endpoint }}{{ end -}}
{{ toJson $addresses }}
{{- end }}
