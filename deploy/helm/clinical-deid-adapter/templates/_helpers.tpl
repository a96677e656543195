{{/* A release has one adapter, so its objects have its name. */}}
{{- define "adapter.fullname" -}}
{{- .Release.Name -}}
{{- end }}

{{- define "adapter.selector" -}}
app.kubernetes.io/name: {{ .Chart.Name }}
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end }}

{{- define "adapter.labels" -}}
{{ include "adapter.selector" . }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
{{- end }}

{{- define "adapter.image" -}}
{{- with .Values.image }}
{{- if .digest }}{{ printf "%s@%s" .repository .digest }}{{ else }}{{ printf "%s:%s" .repository (.tag | default $.Chart.AppVersion) }}{{ end }}
{{- end }}
{{- end }}

{{/* The transport of the listener, if one is enabled; its values have the same name. */}}
{{- define "adapter.listener" -}}
{{- if .Values.mllp.enabled }}mllp{{ else if .Values.http.enabled }}http{{ end }}
{{- end }}

{{/* Name of the listener's port; HTTP is always with TLS here, and `http` is the port of /metrics. */}}
{{- define "adapter.listenerPort" -}}
{{- eq (include "adapter.listener" .) "http" | ternary "https" "mllp" }}
{{- end }}

{{/* What every pod of the chart has: the account, the rights, the files. */}}
{{- define "adapter.pod" -}}
serviceAccountName: {{ include "adapter.fullname" . }}
automountServiceAccountToken: false
enableServiceLinks: false
{{- with .Values.imagePullSecrets }}
imagePullSecrets:
  {{- toYaml . | nindent 2 }}
{{- end }}
securityContext:
  runAsNonRoot: true
  runAsUser: 10001
  runAsGroup: 10001
  # The files of the Secret are root's and readable by this group: keys open to others are refused.
  fsGroup: 10001
  fsGroupChangePolicy: OnRootMismatch
  seccompProfile:
    type: RuntimeDefault
volumes:
  - name: config
    configMap:
      name: {{ include "adapter.fullname" . }}
  - name: keys
    secret:
      secretName: {{ .Values.keys.secret }}
      defaultMode: 0440
  # In memory, so that nothing of a message reaches the node's disk.
  - name: tmp
    emptyDir:
      medium: Memory
      sizeLimit: 64Mi
{{- with .Values.priorityClassName }}
priorityClassName: {{ . }}
{{- end }}
{{- with .Values.nodeSelector }}
nodeSelector:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .Values.tolerations }}
tolerations:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .Values.affinity }}
affinity:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- end }}

{{- define "adapter.container" -}}
name: adapter
image: {{ include "adapter.image" . | quote }}
imagePullPolicy: {{ .Values.image.pullPolicy }}
securityContext:
  allowPrivilegeEscalation: false
  readOnlyRootFilesystem: true
  capabilities:
    drop: ["ALL"]
env:
  - name: DEID_ADAPTER__HEALTH__HOST
    value: "0.0.0.0"
  - name: DEID_ADAPTER__HEALTH__PORT
    value: {{ .Values.port | quote }}
  - name: DEID_ADAPTER__WORKERS__DRAIN_SECONDS
    value: {{ .Values.drainSeconds | quote }}
  {{- with include "adapter.listener" . }}
  - name: DEID_ADAPTER__TRANSPORT
    value: {{ . }}
  - name: DEID_ADAPTER__{{ upper . }}__OUTPUT
    value: kafka
  - name: DEID_ADAPTER__{{ upper . }}__HOST
    value: "0.0.0.0"
  - name: DEID_ADAPTER__{{ upper . }}__PORT
    value: {{ (get $.Values .).port | quote }}
  {{- end }}
  # Otherwise there would be a worker for each core of the node.
  - name: DEID_ADAPTER__WORKERS__PROCESSES
    valueFrom:
      resourceFieldRef:
        containerName: adapter
        resource: requests.cpu
        divisor: "1"
  {{- with .Values.env }}
  {{- toYaml . | nindent 2 }}
  {{- end }}
resources:
  {{- toYaml .Values.resources | nindent 2 }}
volumeMounts:
  - name: config
    mountPath: /etc/deid-adapter/adapter.toml
    subPath: adapter.toml
    readOnly: true
  {{- range $name, $_ := .Values.configFiles }}
  - name: config
    mountPath: {{ printf "/etc/deid-adapter/%s" $name | quote }}
    subPath: {{ $name | quote }}
    readOnly: true
  {{- end }}
  - name: keys
    mountPath: /etc/deid-adapter/secrets
    readOnly: true
  - name: tmp
    mountPath: /tmp
{{- end }}
