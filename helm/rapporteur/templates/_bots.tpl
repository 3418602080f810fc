{{/* Two releases may share a namespace of bots. */}}
{{- define "rapporteur.botsAccount" -}}
{{ include "rapporteur.fullname" . }}-bot-runner
{{- end }}

{{/*
Stops an upgrade that would delete the namespace in which bots run, or that would leave running bots behind in it. Which one it is
is read from the bot-scheduler that is deployed. `helm template` has no cluster to read from, and stops nothing.
*/}}
{{- define "rapporteur.botsNamespaceStays" -}}
{{- $release := .Release -}}
{{- $new := include "rapporteur.botsNamespace" . -}}
{{- $old := "" -}}
{{- $scheduler := lookup "apps/v1" "Deployment" $release.Namespace (printf "%s-bot-scheduler" (include "rapporteur.fullname" .)) -}}
{{- range dig "spec" "template" "spec" "containers" list $scheduler }}{{ range .env }}{{ if eq .name "RAPPORTEUR_KUBERNETES_NAMESPACE" }}{{ $old = .value }}{{ end }}{{ end }}{{ end -}}
{{- if and $old (or (ne $old $new) (not .Values.bots.createNamespace)) -}}
{{- $notes := dig "metadata" "annotations" dict (lookup "v1" "Namespace" "" $old) -}}
{{- $ours := and (eq (get $notes "meta.helm.sh/release-name") $release.Name) (eq (get $notes "meta.helm.sh/release-namespace") $release.Namespace) -}}
{{- if and $ours (ne (get $notes "helm.sh/resource-policy") "keep") }}
{{- fail (printf "\n\nThis upgrade would delete the namespace %s and every bot in it, because these values no longer create it. Keep it with\n  kubectl annotate namespace %s helm.sh/resource-policy=keep\nand upgrade again.\n" $old $old) }}
{{- end }}
{{- if ne $old $new }}
{{- $running := 0 -}}
{{- range (lookup "batch/v1" "Job" $old "").items }}{{ if and (eq (get (default dict .metadata.labels) "app.kubernetes.io/instance") $release.Name) (gt (int (dig "status" "active" 0 .)) 0) }}{{ $running = add1 $running }}{{ end }}{{ end -}}
{{- if $running }}
{{- fail (printf "\n\n%d bots run in the namespace %s. With bots.namespace=%s nothing would look after them. Upgrade with bots.maxConcurrent=0 and wait until they have ended, or keep bots.namespace=%s.\n" (int $running) $old $new $old) }}
{{- end }}
{{- end }}
{{- end -}}
{{- end }}
