"""What an operator decides, from flags, the environment and a file, in this order of precedence."""

from pathlib import Path
from typing import Any, ClassVar, Literal

from pydantic import Field, SecretStr, field_validator, model_validator
from pydantic_settings import (
    BaseSettings,
    PydanticBaseSettingsSource,
    SettingsConfigDict,
    TomlConfigSettingsSource,
)

from referee.limits import CALLS_A_SECOND, WITNESSES
from referee.record.log.keys import SignatureKind, name_fault, parse_verifier_key


class Settings(BaseSettings):
    """Settings of ``referee serve``: each a flag, an environment variable ``REFEREE_...``, and a key of the file."""

    model_config = SettingsConfigDict(env_prefix="REFEREE_", extra="forbid")
    file: ClassVar[Path | None] = None

    host: str = Field("127.0.0.1", description="Address to listen on.")
    port: int = Field(50051, ge=0, le=65535, description="Port; 0 takes a free one.")
    socket: Path | None = Field(
        None, description="Unix socket to listen on as well, without TLS: for who may write to the file."
    )
    data: Path = Field(Path("referee-data"), description="Folder of the tables' store and of the tokens drawn for it.")
    contests: Path | None = Field(None, description="Folder of contests that are served; none if not given.")
    judge_only: bool = Field(False, description="Keep nothing and play no tables.")
    tls_key: Path | None = Field(None, description="PEM file of the server's key.")
    tls_cert: Path | None = Field(None, description="PEM file of the server's certificate chain.")
    tls_client_ca: Path | None = Field(None, description="PEM file of the authority that clients must show.")
    host_token: SecretStr = Field(SecretStr(""), description="Token of the host; else drawn, in DATA/host.token.")
    auditor_token: SecretStr = Field(SecretStr(""), description="Token of the auditor; else in DATA/auditor.token.")
    check_store: Literal["all", "needed"] = Field(
        "all", description="What is checked at the start: all of the store, or all but what rows say (needed)."
    )
    log_name: str = Field("", description="Name of the log of records; else made from its key, and kept in DATA.")
    witness_keys: list[str] = Field([], max_length=WITNESSES, description="Keys of witnesses whose cosignatures count.")
    calls_a_second: int = Field(CALLS_A_SECOND, ge=1, description="Calls taken from one address in a second.")
    metrics_host: str = Field("127.0.0.1", description="Address of the metrics.")
    metrics_port: int = Field(0, ge=0, le=65535, description="Port of the metrics for Prometheus; 0 serves none.")
    traces: bool = Field(False, description="Send traces by OpenTelemetry, as the OTEL_... variables say.")
    log_format: Literal["console", "json"] = Field("console", description="How log lines are written.")
    log_level: Literal["debug", "info", "warning", "error"] = Field("info", description="The least that is logged.")

    @field_validator("log_name")
    @classmethod
    def _log_has_a_usable_name(cls, name: str) -> str:
        fault = name_fault(name) if name else ""
        if fault:
            raise ValueError(fault)
        return name

    @field_validator("witness_keys")
    @classmethod
    def _witnesses_cosign(cls, keys: list[str]) -> list[str]:
        for text in keys:
            if parse_verifier_key(text).kind != SignatureKind.COSIGNATURE:
                raise ValueError(f"{text!r} is not the key of a witness, which cosigns")
        if len(set(keys)) < len(keys):
            raise ValueError("a key of a witness is there twice")
        return keys

    @model_validator(mode="after")
    def _tls_is_whole(self) -> "Settings":
        if (self.tls_key is None) != (self.tls_cert is None) or (self.tls_client_ca and self.tls_key is None):
            raise ValueError("TLS needs --tls-key and --tls-cert together; --tls-client-ca needs both")
        return self

    @classmethod
    def settings_customise_sources(
        cls,
        settings_cls: type[BaseSettings],
        init_settings: PydanticBaseSettingsSource,
        env_settings: PydanticBaseSettingsSource,
        dotenv_settings: PydanticBaseSettingsSource,
        file_secret_settings: PydanticBaseSettingsSource,
    ) -> tuple[PydanticBaseSettingsSource, ...]:
        """Flags, then the environment, then the file."""
        return init_settings, env_settings, TomlConfigSettingsSource(settings_cls, cls.file)


def settings_from(flags: dict[str, Any], file: Path | None) -> Settings:
    """The settings from given flags, the environment and a TOML file; raises ValueError for what makes no sense."""
    if file is not None and not file.is_file():
        raise ValueError(f"no settings file {file}")
    reading = type("Settings", (Settings,), {"file": file, "__module__": __name__})
    made: Settings = reading(**{name: value for name, value in flags.items() if value is not None})
    return made
