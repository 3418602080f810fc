{{/* One service with all its objects: (dict "root" $ "name" NAME "ports" (dict ...) "probePort" NAME "autoscaling" BOOL "disk" BOOL) */}}
{{- define "rapporteur.service" -}}
{{- $root := .root -}}
{{- $own := index $root.Values.services .name -}}
{{- $fullname := printf "%s-%s" (include "rapporteur.fullname" $root) .name -}}
{{- $meta := dict "root" $root "component" .name -}}
{{- $single := and .disk (eq $root.Values.objectStore.driver "disk") -}}
{{- $scaled := and .autoscaling (not $single) $own.autoscaling.enabled -}}
{{- $replicas := ternary 1 (int $own.replicas) $single -}}
{{- $options := include "rapporteur.podOptions" (dict "root" $root "pod" $own.pod) | fromYaml -}}
{{- $pod := dict "root" $root "component" .name "options" $options "spread" true "annotations" (dict "kubectl.kubernetes.io/default-container" .name) -}}
{{- $account := include "rapporteur.serviceAccount" $pod -}}
{{- if $options.serviceAccount.create }}
apiVersion: v1
kind: ServiceAccount
metadata:
  name: {{ $account }}
  labels: {{- include "rapporteur.labels" $meta | nindent 4 }}
{{- with $options.serviceAccount.annotations }}
  annotations: {{- toYaml . | nindent 4 }}
{{- end }}
automountServiceAccountToken: false
---
{{- end }}
apiVersion: v1
kind: Service
metadata:
  name: {{ $fullname }}
  labels: {{- include "rapporteur.labels" $meta | nindent 4 }}
{{- with $options.service.annotations }}
  annotations: {{- toYaml . | nindent 4 }}
{{- end }}
spec:
  {{- include "rapporteur.serviceSpec" $options | nindent 2 }}
  selector: {{- include "rapporteur.selector" $meta | nindent 4 }}
  ports:
{{- range $name, $port := .ports }}
    - { name: {{ $name }}, port: {{ $port }}, targetPort: {{ $name }} }
{{- end }}
---
apiVersion: apps/v1
kind: Deployment
metadata:
  name: {{ $fullname }}
  labels: {{- include "rapporteur.labels" $meta | nindent 4 }}
spec:
{{- if not $scaled }}
  replicas: {{ $replicas }}
{{- end }}
  revisionHistoryLimit: 3
  # A volume with one writer cannot be held by two pods.
  strategy: {{ ternary "{ type: Recreate }" "{ type: RollingUpdate, rollingUpdate: { maxSurge: 1, maxUnavailable: 0 } }" $single }}
  selector:
    matchLabels: {{- include "rapporteur.selector" $meta | nindent 6 }}
  template:
    metadata: {{- include "rapporteur.podMetadata" $pod | nindent 6 }}
    spec:
      serviceAccountName: {{ $account }}
      automountServiceAccountToken: {{ eq .name "bot-scheduler" }}
      # Their variables would look like settings of the service.
      enableServiceLinks: false
      terminationGracePeriodSeconds: {{ $options.terminationGracePeriodSeconds }}
      securityContext: {{- include "rapporteur.podSecurity" $pod | nindent 8 }}
      {{- include "rapporteur.placement" $pod | nindent 6 }}
{{- with $options.initContainers }}
      initContainers: {{- toYaml . | nindent 8 }}
{{- end }}
      containers:
        - name: {{ .name }}
          image: {{ include "rapporteur.image" (dict "root" $root "image" $root.Values.image.services) }}
          imagePullPolicy: {{ $root.Values.image.pullPolicy }}
          args: [node, --max-semi-space-size=2, --optimize-for-size, /app/{{ .name }}/main.js]
          env: {{- include "rapporteur.environment" (dict "root" $root "name" .name) | nindent 12 }}
            {{- include "rapporteur.extraEnv" $pod | nindent 12 }}
          ports:
{{- range $name, $port := .ports }}
            - { name: {{ $name }}, containerPort: {{ $port }} }
{{- end }}
          startupProbe: { httpGet: { path: /health/live, port: {{ .probePort }} }, periodSeconds: 2, timeoutSeconds: 2, failureThreshold: 60 }
          livenessProbe: { httpGet: { path: /health/live, port: {{ .probePort }} }, periodSeconds: 10, timeoutSeconds: 5, failureThreshold: 6 }
          readinessProbe: { httpGet: { path: /health/ready, port: {{ .probePort }} }, periodSeconds: 3, timeoutSeconds: 3, failureThreshold: 2 }
          # Requests still arrive until every node knows that this pod ends.
          lifecycle: { preStop: { sleep: { seconds: 5 } } }
          terminationMessagePolicy: FallbackToLogsOnError
          resources: {{ toJson $own.resources }}
          securityContext: {{- include "rapporteur.containerSecurity" $options | nindent 12 }}
          volumeMounts:
            - { name: tmp, mountPath: /tmp }
{{- if $single }}
            - { name: objects, mountPath: /data }
{{- end }}
            {{- include "rapporteur.volumeMounts" $pod | nindent 12 }}
{{- with $options.extraContainers }}
        {{- toYaml . | nindent 8 }}
{{- end }}
      volumes:
        - { name: tmp, emptyDir: { sizeLimit: 1Gi } }
{{- if $single }}
        - { name: objects, persistentVolumeClaim: { claimName: {{ $fullname }} } }
{{- end }}
        {{- include "rapporteur.volumes" $pod | nindent 8 }}
{{- if gt (ternary (int (dig "autoscaling" "minReplicas" 1 $own)) $replicas $scaled) 1 }}
---
apiVersion: policy/v1
kind: PodDisruptionBudget
metadata:
  name: {{ $fullname }}
  labels: {{- include "rapporteur.labels" $meta | nindent 4 }}
spec:
  maxUnavailable: 1
  unhealthyPodEvictionPolicy: AlwaysAllow
  selector:
    matchLabels: {{- include "rapporteur.selector" $meta | nindent 6 }}
{{- end }}
{{- if $scaled }}
---
apiVersion: autoscaling/v2
kind: HorizontalPodAutoscaler
metadata:
  name: {{ $fullname }}
  labels: {{- include "rapporteur.labels" $meta | nindent 4 }}
spec:
  scaleTargetRef: { apiVersion: apps/v1, kind: Deployment, name: {{ $fullname }} }
  minReplicas: {{ $own.autoscaling.minReplicas }}
  maxReplicas: {{ $own.autoscaling.maxReplicas }}
  metrics:
    - type: Resource
      resource: { name: cpu, target: { type: Utilization, averageUtilization: {{ $own.autoscaling.targetCPUUtilizationPercentage }} } }
{{- end }}
{{- if $single }}
---
apiVersion: v1
kind: PersistentVolumeClaim
metadata:
  name: {{ $fullname }}
  labels: {{- include "rapporteur.labels" $meta | nindent 4 }}
spec:
  accessModes: [ReadWriteOnce]
  resources: { requests: { storage: {{ $root.Values.objectStore.disk.size }} } }
{{- with $root.Values.objectStore.disk.storageClass }}
  storageClassName: {{ . }}
{{- end }}
{{- end }}
{{- end }}
