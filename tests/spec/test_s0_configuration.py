"""The platform's configuration: statements S0.1 to S0.9, S0.131 and S0.133."""

import logging
from pathlib import Path

import pytest
import yaml

from genius_py.fronts.platform import ConfigManager, GameEngine


def write(folder: Path, **files: str) -> Path:
    for name, text in files.items():
        (folder / f"{name}.yaml").write_text(text, encoding="utf-8")
    return folder


def test_s0_001_each_file_is_given_as_its_mapping_in_the_order_models_games_platform(
    tmp_path: Path,
) -> None:
    write(
        tmp_path,
        platform_config="logging_level: DEBUG",
        game_configs="chess: {max_rounds: 9}",
        model_configs="m: {model_name: tiny}",
    )
    configs = ConfigManager(tmp_path)
    assert configs.get_config("model_configs") == {"m": {"model_name": "tiny"}}
    assert configs.get_config("game_configs") == {"chess": {"max_rounds": 9}}
    assert configs.get_config("platform_config") == {"logging_level": "DEBUG"}
    assert list(configs._configs) == ["model_configs", "game_configs", "platform_config"]


def test_s0_002_a_missing_file_is_empty_and_the_others_load(tmp_path: Path) -> None:
    configs = ConfigManager(write(tmp_path, game_configs="chess: {max_rounds: 9}"))
    assert configs.get_config("model_configs") == {}
    assert configs.get_game_config("chess") == {"max_rounds": 9}


@pytest.mark.parametrize("text", ["a: [1, 2", "- just\n- a list"])
def test_s0_003_broken_yaml_is_logged_and_empty(
    tmp_path: Path, text: str, caplog: pytest.LogCaptureFixture
) -> None:
    configs = ConfigManager(write(tmp_path, model_configs=text, game_configs="g: {a: 1}"))
    assert configs.get_config("model_configs") == {}
    assert configs.get_config("game_configs") == {"g": {"a": 1}}
    assert "model_configs.yaml" in caplog.text


def test_s0_003_an_unreadable_file_is_logged_and_empty(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    (tmp_path / "model_configs.yaml").mkdir()  # refused even to root, unlike a file mode
    assert ConfigManager(tmp_path).get_config("model_configs") == {}
    assert "Cannot read" in caplog.text


def test_s0_003_an_empty_file_is_empty(tmp_path: Path) -> None:
    assert ConfigManager(write(tmp_path, model_configs="")).get_config("model_configs") == {}


def test_s0_004_what_is_not_known_is_none_or_empty() -> None:
    configs = ConfigManager()
    assert configs.get_model_config("nobody") is None
    assert configs.get_game_config("chess") is None
    assert configs.get_config("weather") == {}


def test_s0_005_a_missing_directory_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError, match="nowhere"):
        ConfigManager(tmp_path / "nowhere")


def test_s0_005_strict_reading_raises_what_lenient_reading_logs(tmp_path: Path) -> None:
    write(tmp_path, model_configs="a: [1, 2")
    with pytest.raises(yaml.YAMLError):
        ConfigManager(tmp_path, strict=True)
    assert ConfigManager(tmp_path).get_config("model_configs") == {}


def test_s0_005_strict_reading_tolerates_missing_files(tmp_path: Path) -> None:
    assert ConfigManager(tmp_path, strict=True).get_config("game_configs") == {}


def test_s0_006_a_relative_directory_is_the_packages_first_then_the_working_directorys(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    for name in ("configs", "my_configs"):
        (tmp_path / name).mkdir()
        write(tmp_path / name, game_configs="chess: {max_rounds: 9}")
    assert ConfigManager("configs").get_game_config("chess") is None
    assert ConfigManager("my_configs").get_game_config("chess") == {"max_rounds": 9}


def test_s0_007_the_shipped_car_game_has_five_rounds_and_the_buyers_alternative() -> None:
    config = ConfigManager().get_game_config("company_car")
    assert config is not None
    assert config["max_rounds"] == 5
    assert config["buyer_batna"] == 41000


def test_s0_007_rounds_of_an_older_file_are_given_as_max_rounds(tmp_path: Path) -> None:
    configs = ConfigManager(write(tmp_path, game_configs="company_car: {rounds: 7}"))
    assert configs.get_game_config("company_car") == {"max_rounds": 7, "rounds": 7}


def test_s0_008_a_model_has_name_type_device_generation_and_a_key_from_the_environment(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("HF_TOKEN", "secret")
    model = ConfigManager().get_model_config("model_a")
    assert model is not None
    assert set(model) == {"model_name", "type", "device", "generation_config", "api_key"}
    assert model["api_key"] == "secret"
    monkeypatch.delenv("HF_TOKEN")
    model = ConfigManager().get_model_config("model_a")
    assert model is not None
    assert model["api_key"] is None


def test_s0_008_a_game_takes_rounds_alternatives_limits_weights_and_time() -> None:
    engine = GameEngine()
    car = engine.create_game(
        "company_car",
        {"max_rounds": 3, "batna_values": {"buyer": 40000}, "time_limits": {"seconds": 60}},
    )
    assert car.max_rounds == 3
    assert (car.batnas, car.deadline.seconds) == ({"buyer": 40000, "seller": 39000}, 60)  # type: ignore[attr-defined]


def test_s0_009_the_shipped_platform_settings() -> None:
    assert ConfigManager().get_config("platform_config") == {
        "logging_level": "INFO",
        "max_retries": 3,
        "timeout_seconds": 30,
        "results_dir": "results",
        "default_rounds": 5,
        "allow_early_termination": True,
        "runs_per_comparison": 10,
        "significance_level": 0.05,
    }


def test_s0_131_configurations_can_be_read_again(tmp_path: Path) -> None:
    configs = ConfigManager(write(tmp_path, game_configs="chess: {max_rounds: 9}"))
    write(tmp_path, game_configs="chess: {max_rounds: 10}")
    configs.load_all_configs()
    assert configs.get_game_config("chess") == {"max_rounds": 10}
    assert configs.config_dir == tmp_path
    assert configs.load_config(tmp_path / "game_configs.yaml") == {"chess": {"max_rounds": 10}}
    assert configs.load_config(tmp_path / "none.yaml") == {}


def test_s0_131_three_models_are_shipped() -> None:
    configs = ConfigManager()
    assert list(configs.get_model_configs()) == ["model_a", "model_b", "model_c"]
    model = configs.get_model_configs()["model_a"]
    assert (model["model_name"], model["device"]) == ("meta-llama/Llama-2-7b-chat-hf", "cuda:0")


def test_s0_133_all_spellings_of_game_settings_are_understood() -> None:
    engine = GameEngine()
    resource = engine.create_game(
        "resource_allocation",
        {
            "resource_limits": {"gpu_bandwidth": 200},
            "team_preferences": {
                "development": {"gpu_hours": 9, "cpu_hours": 1},
                "marketing": {"gpu_hours": 1, "cpu_hours": 9},
            },
            "time_limits": {"rounds": 2},
        },
    )
    resource.initialize_game(["d", "m"])
    offer = {"type": "offer", "gpu_hours": 10, "cpu_hours": 20}
    assert resource.is_valid_action("d", offer, {})
    assert not resource.is_valid_action("d", {**offer, "cpu_hours": 45}, {})
    assert resource.game_data["private_info"]["d"]["coefficients"] == {
        "gpu_hours": 9,
        "cpu_hours": 1,
    }
    assert resource.max_rounds == 2

    issues = {"colour": {"options": ["red", "blue"], "points": [1, 2]}}
    for key in ("priorities", "scoring_weights"):
        game = engine.create_game(
            "integrative_negotiations",
            {"issues": issues, key: {"IT": {"colour": 2}, "Marketing": {"colour": 3}}},
        )
        game.initialize_game(["i", "m"])
        assert game.calculate_utility("m", {"colour": "blue"}) == 6  # type: ignore[attr-defined]


def test_s0_130_one_file_may_hold_all_three_configurations(tmp_path: Path) -> None:
    path = tmp_path / "config.yaml"
    path.write_text(
        "model_configs: {m: {type: huggingface}}\ngames: {chess: {max_rounds: 9}}\n",
        encoding="utf-8",
    )
    configs = ConfigManager(path)
    assert configs.get_model_configs() == {"m": {"type": "huggingface"}}
    assert configs.get_game_config("chess") == {"max_rounds": 9}
    assert configs.get_config("platform_config") == {}


def test_nothing_odd_is_logged_about_what_is_shipped(caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.INFO):
        ConfigManager()
    assert caplog.records == []
