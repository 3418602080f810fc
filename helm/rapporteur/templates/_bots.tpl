{{/* Two releases may share a namespace of bots. */}}
{{- define "rapporteur.botsAccount" -}}
{{ include "rapporteur.fullname" . }}-bot-runner
{{- end }}

{{/*
Stops an upgrade that would delete the namespace in which bots run, that would leave running bots behind in it, or that would rename
the services whose addresses running bots have. Which these are is read from the bot-scheduler that is deployed, whatever its name is.
`helm template` has no cluster to read from, and stops nothing.
*/}}
{{- define "rapporteur.botsNamespaceStays" -}}
{{- $release := .Release -}}
{{- $new := include "rapporteur.botsNamespace" . -}}
{{- $name := printf "%s-bot-scheduler" (include "rapporteur.fullname" .) -}}
{{- $old := "" -}}
{{- $oldName := "" -}}
{{- range (lookup "apps/v1" "Deployment" $release.Namespace "").items -}}
{{- $labels := default dict .metadata.labels -}}
{{- if and (eq (get $labels "app.kubernetes.io/name") "bot-scheduler") (eq (get $labels "app.kubernetes.io/instance") $release.Name) -}}
{{- $oldName = .metadata.name -}}
{{- range .spec.template.spec.containers }}{{ range .env }}{{ if eq .name "RAPPORTEUR_KUBERNETES_NAMESPACE" }}{{ $old = .value }}{{ end }}{{ end }}{{ end -}}
{{- end -}}
{{- end -}}
{{- $moved := or (ne $old $new) (ne $oldName $name) -}}
{{- if and $old (or $moved (not .Values.bots.createNamespace)) -}}
{{- $notes := dig "metadata" "annotations" dict (lookup "v1" "Namespace" "" $old) -}}
{{- $ours := and (eq (get $notes "meta.helm.sh/release-name") $release.Name) (eq (get $notes "meta.helm.sh/release-namespace") $release.Namespace) -}}
{{- if and $ours (or (ne $old $new) (not .Values.bots.createNamespace)) (ne (get $notes "helm.sh/resource-policy") "keep") }}
{{- fail (printf "\n\nThis upgrade would delete the namespace %s and every bot in it, because these values no longer create it. Keep it with\n  kubectl annotate namespace %s helm.sh/resource-policy=keep\nand upgrade again.\n" $old $old) }}
{{- end }}
{{- if $moved }}
{{- $running := 0 -}}
{{- range (lookup "batch/v1" "Job" $old "").items }}{{ if and (eq (get (default dict .metadata.labels) "app.kubernetes.io/instance") $release.Name) (gt (int (dig "status" "active" 0 .)) 0) }}{{ $running = add1 $running }}{{ end }}{{ end -}}
{{- if and $running (ne $old $new) }}
{{- fail (printf "\n\n%d bots run in the namespace %s. With bots.namespace=%s nothing would look after them. Upgrade with bots.maxConcurrent=0 and wait until they have ended, or keep bots.namespace=%s.\n" (int $running) $old $new $old) }}
{{- else if $running }}
{{- fail (printf "\n\n%d bots run in the namespace %s and reach %s and its siblings by their names. With another fullnameOverride or nameOverride (%s) they could not store what they record. Upgrade with bots.maxConcurrent=0 and wait until they have ended, or keep the names.\n" (int $running) $old $oldName $name) }}
{{- end }}
{{- end }}
{{- end -}}
{{- end }}
